import { mergePull } from "../model/merge-pull.ts";
import { changePull } from "../model/pulls.ts";
import { mayPush } from "./access.ts";
import { WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";
import { findFeature } from "./sights.ts";

/** Somebody who cannot wait calls the feature ready and merges it, whatever is still being built. */
export function mergeEarly(scene: Scene): void {
  const { model, chance } = scene;
  const later = chance.int("merges-early-at", 15, 240) * MINUTE;
  scene.intend("merge-early", later, "will merges the feature before it is accepted", () => {
    const feature = findFeature(model);
    if (feature === null || !mayPush(model)) return;
    if (feature.timeline.now.draft) changePull(model, feature.number, WILL, "ready_for_review", { draft: false });
    try {
      mergePull(model, feature.number, WILL, { method: "merge", message: "Good enough" });
    } catch {
      // It conflicts: he leaves it.
    }
  });
}
