import { JobRunner } from "../sim/agents/job-runner.ts";
import { APP, APP_ID, GitHubModel, REPOSITORY, REVIEWER, REVIEWER_ID } from "../sim/model/github-model.ts";
import { createModelPort } from "../sim/model/model-port.ts";
import { buildCalmScenario } from "../sim/scenario.ts";
import { VirtualTime } from "../sim/virtual-time.ts";
import { Events } from "../sim/world/events.ts";
import { FILES, type Place } from "./place.ts";

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
  const tree = model.git.changeTree(
    null,
    Object.entries(FILES).map(([path, content]) => ({ path, mode: "100644" as const, content })),
  );
  if (tree === null) throw new Error("an empty base has every path free");
  const main = model.git.putCommit({ tree, parents: [], message: "Begin" }, time.now());
  model.setRef("main", main, alice);
  const { number } = model.createIssue(alice, "Add search", "Please.");
  const repository = createModelPort(model, () => 0);
  const reviewer = createModelPort(model, () => 0, { actor: REVIEWER, id: REVIEWER_ID });
  return {
    port: {
      loadApp: async () => ({ id: APP_ID, slug: "taskfleet", login: APP.login }),
      repository: () => repository,
      loadRepositoryRef: async () => REPOSITORY,
      loadRepositoryRefs: async () => [REPOSITORY],
      loadFailedDeliveries: async () => [],
      redeliver: async () => undefined,
      requests: { total: 0, contentCreating: 0 },
    },
    repository,
    issue: number,
    main,
    writer: "mona",
    reviewer,
    label: async (label, change) => {
      if (change === "set") model.changeIssue(number, alice, "labeled", { labels: [label] });
      else model.changeIssue(number, alice, "unlabeled", { labels: [] });
    },
    idle: async () => {
      while (time.step());
    },
    now: () => time.now(),
    close: async () => undefined,
  };
}
