/** What people do to what is written: they edit it, their own and others', take it back, and say more at once. */
import type { Actor } from "../../../src/github/port.ts";
import { createComment, deleteComment, editComment } from "../model/issues.ts";
import type { ModelComment } from "../model/things.ts";
import { ALICE, TRIXIE, WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";

/** Soon enough to come before anybody has read it, or long after. */
const LATER = [1_000, 20_000, 5 * MINUTE, 40 * MINUTE] as const;

export function editOwnComment(scene: Scene, label: string): void {
  const { model, chance } = scene;
  const [before, after] = chance.pick<readonly [string, string]>(`edit:${label}`, [
    ["Looks good.", "/cancel"],
    ["Looks good.", "/skip c0"],
    ["/status", "/cancel"],
    ["/pause\n/resume", "Never mind."],
  ]);
  const comment = createComment(model, scene.issue, WILL, before);
  editLater(scene, { comment, by: WILL, body: after, label });
}

/** Whoever may write may edit what others wrote. */
export function editAnothersComment(scene: Scene, label: string): void {
  const { model, chance } = scene;
  const by = chance.pick(`editor:${label}`, [TRIXIE, ALICE]);
  const known = [...model.comments.values()].findLast((comment) => comment.author.login === WILL.login);
  const comment = known ?? createComment(model, scene.issue, WILL, "Looks good.");
  editLater(scene, { comment, by, body: `${comment.timeline.now}\n\n/cancel`, label });
}

interface Edit {
  readonly comment: ModelComment;
  readonly by: Actor;
  readonly body: string;
  readonly label: string;
}

function editLater(scene: Scene, { comment, by, body, label }: Edit): void {
  const { model, chance } = scene;
  scene.intend(`edit:${label}`, chance.pick(`edit-at:${label}`, LATER), `${by.login} edits a comment`, () => {
    if (model.comments.has(comment.id)) editComment(model, comment, by, body);
  });
}

/** Two comments before anybody can have read the first: the second is the last word. */
export function sayTwice(scene: Scene, chunk: string, label: string): void {
  const { model, chance } = scene;
  const [first, second] = chance.pick<readonly [string, string]>(`twice:${label}`, [
    ["/pause", "/resume"],
    [`/skip ${chunk}`, `/retry ${chunk}`],
    [`/retry ${chunk}`, "/status"],
  ]);
  createComment(model, scene.issue, WILL, first);
  scene.intend(`twice:${label}`, 1_000, "will writes another command at once", () =>
    createComment(model, scene.issue, WILL, second),
  );
}

/** Any comment: of the App's, or of people's. */
export function deleteAnyComment(scene: Scene, label: string): void {
  const { model, chance } = scene;
  const bots = chance.happens(`deletes-ours:${label}`, 0.7);
  const comments = [...model.comments.values()].filter((comment) => comment.author.bot === bots);
  const comment = comments[Math.floor(chance.unit(`deletes:${label}`) * comments.length)];
  if (comment !== undefined) deleteComment(model, comment, ALICE);
}
