/** People come and go: who could write cannot any more, and strangers are let in. */
import type { GitHubModel } from "../model/github-model.ts";
import { createComment } from "../model/issues.ts";
import { MALLORY, WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";

export function mayPush(model: GitHubModel): boolean {
  const now = model.time.now();
  return model.hadWriteAccess(WILL.login, now, now);
}

/** What they still say is without effect, whatever they said before. */
export function loseAccess(scene: Scene, chunk: string, label: string): void {
  const { model, chance } = scene;
  model.changeRole(WILL.login, chance.pick(`left-with:${label}`, ["read", "triage", "none"]));
  const text = chance.pick(`lost-text:${label}`, ["/cancel", `/skip ${chunk}`, "/approve", "/pause"]);
  scene.intend(`lost-command:${label}`, 25 * MINUTE, "will commands without write access", () =>
    createComment(model, scene.issue, WILL, text),
  );
  if (chance.happens(`back:${label}`, 0.5))
    scene.intend(`back:${label}`, 90 * MINUTE, "will is given write access again", () =>
      model.changeRole(WILL.login, "write"),
    );
}

/** What a stranger has been refused stays refused. */
export function gainAccess(scene: Scene, chunk: string, label: string): void {
  const { model } = scene;
  createComment(model, scene.issue, MALLORY, `/skip ${chunk}`);
  scene.intend(`let-in:${label}`, 40 * MINUTE, "mallory is given write access", () =>
    model.changeRole(MALLORY.login, "write"),
  );
  scene.intend(`let-out:${label}`, 160 * MINUTE, "mallory loses write access", () =>
    model.changeRole(MALLORY.login, "read"),
  );
}
