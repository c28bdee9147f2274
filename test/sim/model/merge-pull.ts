import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Actor } from "../../../src/github/port.ts";
import { setRef } from "./branches.ts";
import type { GitHubModel } from "./github-model.ts";
import { notFound } from "./not-found.ts";
import { changePull } from "./pulls.ts";

/** Merges by button or `PUT merge`: with a merge commit, or squashed. */
export function mergePull(
  model: GitHubModel,
  number: number,
  by: Actor,
  merge: { readonly method: "merge" | "squash"; readonly message: string },
): Sha {
  const pull = model.pulls.get(number);
  if (pull === undefined) throw notFound(`pull request ${number}`);
  const { state, headSha, draft } = pull.timeline.now;
  const base = model.head(pull.base);
  if (state !== "open" || base === null || draft)
    throw new GitHubFailure("terminal", "GitHub refuses the merge: it is not open", { status: 405 });
  const merged = model.git.merge(base, headSha);
  if ("conflicts" in merged) throw new GitHubFailure("conflict", "It cannot be merged as it stands.", { status: 405 });
  const parents = merge.method === "merge" ? [base, headSha] : [base];
  const commit = model.git.putCommit({ tree: merged.tree, parents, message: merge.message }, model.time.now());
  const at = model.time.now();
  changePull(model, number, by, "closed", { state: "closed", merged: true, mergeCommit: commit, mergedAt: at });
  model.hooks.happened({ kind: "merge", at, by, pull, commit });
  setRef(model, pull.base, commit, by);
  return commit;
}
