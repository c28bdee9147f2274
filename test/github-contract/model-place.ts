import { JobRunner } from "../sim/agents/job-runner.ts";
import { GitHubModel } from "../sim/model/github-model.ts";
import { changeIssue, createIssue } from "../sim/model/issues.ts";
import { createModelGitHub } from "../sim/model/model-github.ts";
import { createModelPort } from "../sim/model/model-port.ts";
import { plantFiles } from "../sim/plant-repository.ts";
import { buildCalmScenario } from "../sim/scenario.ts";
import { VirtualTime } from "../sim/virtual-time.ts";
import { Events } from "../sim/world/events.ts";
import { CALM } from "../sim/scenario.ts";
import { Deliveries } from "../sim/world/deliveries.ts";
import { FILES, type Place, SHARED } from "./place.ts";
import { JUDGE, TASKFLEET } from "../sim/model/identities.ts";

/** The simulation's model of GitHub, on a clock that jumps. */
export function createModelPlace(): Place {
  const time = new VirtualTime(1_796_029_200_000);
  const scenario = buildCalmScenario(1, 1);
  const model = new GitHubModel(time, {
    happened: () => undefined,
    emit: (event, payload) => deliveries.send(event, payload),
    startRun: (run) => runner.start(run),
    mergeDelay: () => 500,
  });
  const events = new Events(scenario.chance, time, new Set(), time.now());
  const runner = new JobRunner(model, scenario, events);
  const heard: string[] = [];
  let answer: "takes" | "fails" = "takes";
  const deliveries = new Deliveries({
    seed: 1,
    time,
    faults: CALM,
    events,
    chance: scenario.chance,
    receive: async ({ guid }) => {
      heard.push(guid);
      return answer === "takes";
    },
  });
  const alice = { login: "mona", id: 1, bot: false };
  model.roles.set("mona", "maintain");
  const main = plantFiles(model, FILES, alice);
  const { number } = createIssue(model, alice, "Add search", "Please.");
  model.elsewhere.set(`${SHARED.repository}/${SHARED.path}`, SHARED.text);
  const repository = createModelPort(model);
  const reviewer = createModelPort(model, JUDGE);
  return {
    port: createModelGitHub(model, repository, TASKFLEET, {
      loadFailedDeliveries: async (since) => deliveries.listFailed(since),
      redeliver: async (id) => deliveries.redeliver(id),
    }),
    repository,
    issue: number,
    main,
    writer: "mona",
    reviewer,
    label: async (label, change) => {
      if (change === "set") changeIssue(model, number, alice, "labeled", { labels: [label] });
      else changeIssue(model, number, alice, "unlabeled", { labels: [] });
    },
    report: async (sha, context, state) => void model.statuses.push({ sha, context, state, at: time.now() }),
    protect: (branch) => model.protectedBranches.add(branch),
    shared: SHARED,
    listen: async (now) => {
      answer = now;
    },
    heard: () => heard,
    wait: async (ms) => {
      time.after(ms, () => undefined);
      while (time.step());
    },
    idle: async () => {
      while (time.step());
      // Whoever takes a webhook answers a moment later.
      await new Promise((resolve) => setImmediate(resolve));
    },
    now: () => time.now(),
    close: async () => undefined,
  };
}
