/** Branches, and what follows when one moves. */
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Actor } from "../../../src/github/port.ts";
import type { GitHubModel } from "./github-model.ts";
import { OWN_CI_PATH } from "./identities.ts";
import { changePull, noticeMerge } from "./pulls.ts";
import { createRun } from "./runs.ts";
import { Timeline } from "./timeline.ts";

export function setRef(model: GitHubModel, branch: string, to: Sha | null, by: Actor): void {
  const at = model.time.now();
  const timeline = model.refs.get(branch);
  if (to === null) model.deletedBy.set(branch, by.login);
  const from = timeline?.now ?? null;
  if (timeline === undefined) model.refs.set(branch, new Timeline<Sha | null>(at, to));
  else timeline.set(at, to);
  model.hooks.happened({ kind: "ref", at, by, branch, from, to });
  model.hooks.emit(
    "push",
    model.payload(by, { ref: `refs/heads/${branch}`, deleted: to === null, after: to ?? "0".repeat(40) }),
  );
  if (to !== null) startOwnChecks(model, branch, to);
  followPulls(model, branch, to, by);
}

/** The repository's own workflow runs on every push, unless the commit says otherwise. */
function startOwnChecks(model: GitHubModel, branch: string, head: Sha): void {
  if (!model.git.files(head).has(OWN_CI_PATH) || model.git.commit(head).message.includes("skip-checks: true")) return;
  createRun(model, { title: "ci", event: "push", headSha: head, headBranch: branch, path: OWN_CI_PATH, inputs: {} });
}

function followPulls(model: GitHubModel, branch: string, to: Sha | null, by: Actor): void {
  for (const pull of model.pulls.values()) {
    if (pull.timeline.now.state === "closed") continue;
    const next = to === null && pull.base === branch ? findNextBase(model, branch) : null;
    if (next !== null && pull.head !== branch) {
      pull.base = next;
      changePull(model, pull.number, by, "edited", {});
      noticeMerge(model, pull);
    } else if (to === null && (pull.head === branch || pull.base === branch)) {
      changePull(model, pull.number, by, "closed", { state: "closed" });
    } else if (to !== null && pull.head === branch) {
      changePull(model, pull.number, by, "synchronize", { headSha: to });
      noticeMerge(model, pull);
    } else if (pull.base === branch) noticeMerge(model, pull);
  }
}

/**
 * Where pull requests into a branch that goes move to: where it was merged to, or nowhere, and then they close
 * (github.blog/changelog/2020-05-19-pull-request-retargeting).
 */
function findNextBase(model: GitHubModel, branch: string): string | null {
  return [...model.pulls.values()].findLast((pull) => pull.head === branch && pull.timeline.now.merged)?.base ?? null;
}

/** A commit pushed by a person on top of a branch. */
export function pushFiles(
  model: GitHubModel,
  branch: string,
  by: Actor,
  message: string,
  files: Readonly<Record<string, string | null>>,
): Sha | null {
  const head = model.head(branch);
  if (head === null) return null;
  const { tree } = model.git.commit(head);
  const changes = Object.entries(files).map(([path, content]) =>
    content === null ? { path, sha: null } : { path, mode: "100644" as const, content },
  );
  const changed = model.git.changeTree(tree, changes);
  if (changed === null) return null;
  const commit = model.git.putCommit({ tree: changed, parents: [head], message }, model.time.now());
  setRef(model, branch, commit, by);
  return commit;
}
