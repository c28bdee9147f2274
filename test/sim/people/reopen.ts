/** Who closed a pull request, or had it closed, may think better of it: it is reopened, and closed or merged after all. */
import { parseBranch } from "../../../src/contracts/names.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { createComment } from "../model/issues.ts";
import { mergePull } from "../model/merge-pull.ts";
import { changePull } from "../model/pulls.ts";
import type { ModelPull } from "../model/things.ts";
import { mayPush } from "./access.ts";
import { WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";

/** Whoever says `/skip` may want it after all. */
export function regretSkip(scene: Scene, words: string, label: string): void {
  const chunk = /^\/skip (\S+)/u.exec(words)?.[1];
  if (chunk === undefined || !scene.chance.happens(`wants-it-back:${label}`, 0.4)) return;
  const pull = [...scene.model.pulls.values()].findLast(
    ({ head, timeline }) => head.endsWith(`/chunk/${chunk}`) && timeline.now.state === "open",
  );
  if (pull !== undefined) reopenLater(scene, pull, label);
}

export function reopenLater(scene: Scene, pull: ModelPull, label: string): void {
  const { model, chance } = scene;
  const later = chance.int(`reopens-pull-at:${label}`, 4, 90) * MINUTE;
  scene.intend(`reopen-pull:${label}`, later, "will reopens the pull request and has the run go on", () => {
    if (!mayPush(model) || !reopen(model, pull)) return;
    const branch = parseBranch(pull.head);
    createComment(model, scene.issue, WILL, branch?.kind === "chunk" ? `/retry ${branch.chunk}` : "/resume");
    if (chance.happens(`has-enough:${label}`, 0.7)) endAgain(scene, pull, label);
  });
}

function endAgain(scene: Scene, pull: ModelPull, label: string): void {
  const { model, chance } = scene;
  const later = chance.int(`ends-pull-at:${label}`, 5, 90) * MINUTE;
  const how = chance.pick(`ends-pull:${label}`, ["closes", "closes", "merges", "skips"] as const);
  scene.intend(`end-pull:${label}`, later, `will ${how} what he reopened`, () => {
    const branch = parseBranch(pull.head);
    if (!mayPush(model) || pull.timeline.now.state !== "open") return;
    if (how === "skips" && branch?.kind === "chunk") createComment(model, scene.issue, WILL, `/skip ${branch.chunk}`);
    else if (how !== "merges") changePull(model, pull.number, WILL, "closed", { state: "closed" });
    else
      try {
        mergePull(model, pull.number, WILL, { method: "merge", message: "By hand, after all" });
      } catch {
        // A draft or a conflict: the button is grey.
      }
  });
}

/** GitHub does that only where the branch still holds what it held, and no other pull request is open for it. */
function reopen(model: GitHubModel, pull: ModelPull): boolean {
  const { state, merged, headSha } = pull.timeline.now;
  const head = model.head(pull.head);
  const base = model.head(pull.base);
  if (state === "open" || merged || head === null || base === null) return false;
  if (!model.git.isAncestor(headSha, head) || model.git.isAncestor(head, base)) return false;
  for (const other of model.pulls.values())
    if (other.timeline.now.state === "open" && other.head === pull.head && other.base === pull.base) return false;
  changePull(model, pull.number, WILL, "reopened", { state: "open", headSha: head });
  return true;
}
