import type { Sha } from "../../src/contracts/ids.ts";
import { CONFIG_PATH, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Actor } from "../../src/github/port.ts";
import { setRef } from "./model/branches.ts";
import type { GitHubModel } from "./model/github-model.ts";
import { OWN_CI_PATH } from "./model/identities.ts";
import { formatGivenPlan, type Scenario } from "./scenario.ts";

/** Where the plan of the first issue lies: the configuration's default. */
export const GIVEN_FILE = ".github/taskfleet/plan-1.yml";

const WORKFLOW = `name: taskfleet
run-name: taskfleet \${{ inputs.role }} \${{ inputs.job }}
on:
  workflow_dispatch:
    inputs:
      role: { type: string, required: true }
      request: { type: string, required: true }
      job: { type: string, required: true }
jobs: {}
`;

/** The repository as it is before anybody asks for anything. */
export function plantRepository(model: GitHubModel, scenario: Scenario): void {
  const files: Record<string, string> = {
    [WORKFLOW_PATH]: WORKFLOW,
    [CONFIG_PATH]: scenario.configText,
    "README.md": "# Tally\n",
    "package.json": '{ "name": "tally" }\n',
    "src/main.js": 'console.log("tally");\n',
    "test/base.test.js": "it base works\nit base counts\nexpect equal\nexpect equal\n",
    ...(scenario.given?.where === "file" ? { [GIVEN_FILE]: formatGivenPlan(scenario, scenario.given.quality) } : {}),
    ...(scenario.ownCi ? { [OWN_CI_PATH]: "on: push\n" } : {}),
  };
  plantFiles(model, files, { login: "alice", id: 1, bot: false });
  if (scenario.protectedSource) model.protectedBranches.add(model.defaultBranch);
}

/** The first commit of the default branch. */
export function plantFiles(model: GitHubModel, files: Readonly<Record<string, string>>, by: Actor): Sha {
  const tree = model.git.changeTree(
    null,
    Object.entries(files).map(([path, content]) => ({ path, mode: "100644" as const, content })),
  );
  if (tree === null) throw new Error("an empty base has every path free");
  const commit = model.git.putCommit({ tree, parents: [], message: "Begin" }, model.time.now());
  setRef(model, model.defaultBranch, commit, by);
  return commit;
}
