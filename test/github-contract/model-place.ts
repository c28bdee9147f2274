import { JobRunner } from "../sim/agents/job-runner.ts";
import { GitHubModel } from "../sim/model/github-model.ts";
import { changeIssue, createIssue } from "../sim/model/issues.ts";
import { createModelGitHub } from "../sim/model/model-github.ts";
import { createModelPort } from "../sim/model/model-port.ts";
import { plantFiles } from "../sim/plant-repository.ts";
import { buildCalmScenario } from "../sim/scenario.ts";
import { VirtualTime } from "../sim/virtual-time.ts";
import { Events } from "../sim/world/events.ts";
import { FILES, type Place } from "./place.ts";
import { JUDGE } from "../sim/model/identities.ts";

/** The simulation's model of GitHub, on a clock that jumps. */
export function createModelPlace(): Place {
  const time = new VirtualTime(1_796_029_200_000);
  const scenario = buildCalmScenario(1, 1);
  const model = new GitHubModel(time, {
    happened: () => undefined,
    emit: () => undefined,
    startRun: (run) => runner.start(run),
    mergeDelay: () => 500,
  });
  const runner = new JobRunner(model, scenario, new Events(scenario.chance, time, new Set(), time.now()));
  const alice = { login: "mona", id: 1, bot: false };
  model.roles.set("mona", "maintain");
  const main = plantFiles(model, FILES, alice);
  const { number } = createIssue(model, alice, "Add search", "Please.");
  const repository = createModelPort(model);
  const reviewer = createModelPort(model, JUDGE);
  return {
    port: createModelGitHub(repository),
    repository,
    issue: number,
    main,
    writer: "mona",
    reviewer,
    label: async (label, change) => {
      if (change === "set") changeIssue(model, number, alice, "labeled", { labels: [label] });
      else changeIssue(model, number, alice, "unlabeled", { labels: [] });
    },
    idle: async () => {
      while (time.step());
    },
    now: () => time.now(),
    close: async () => undefined,
  };
}
