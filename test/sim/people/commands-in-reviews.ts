import type { Actor } from "../../../src/github/port.ts";
import { createReview } from "../model/reviews.ts";
import type { ModelPull } from "../model/things.ts";
import { MALLORY, WILL } from "./cast.ts";
import type { Scene } from "./scene.ts";

/** What a writer commands while reviewing. */
export function commandInReview(scene: Scene, label: string, pull: ModelPull | undefined, chunk: string): void {
  review(scene, label, pull, WILL, [
    "/replan Not like this.",
    `Nice.\n\n/retry ${chunk}`,
    `/skip ${chunk}\n/status`,
    "/approve",
    "/pause\n/resume",
    "> /cancel\n\nNo.",
  ]);
}

export function strangerInReview(scene: Scene, label: string, pull: ModelPull | undefined): void {
  review(scene, label, pull, MALLORY, ["/cancel", "Well.\n\n/skip c0", "/replan Mine."]);
}

function review(
  scene: Scene,
  label: string,
  pull: ModelPull | undefined,
  by: Actor,
  words: [string, ...string[]],
): void {
  if (pull === undefined) return;
  const { model, chance } = scene;
  createReview(model, pull.number, by, {
    body: chance.pick(`text:${label}`, words),
    state: chance.pick(`review:${label}`, ["COMMENTED", "COMMENTED", "APPROVED"] as const),
    commit: pull.timeline.now.headSha,
    comments: 0,
  });
}
