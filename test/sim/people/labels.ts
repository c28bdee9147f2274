/** The label that asks for a run: set, and set again. */
import type { Actor } from "../../../src/github/port.ts";
import { changeIssue } from "../model/issues.ts";
import { ALICE } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";
import { hasComment } from "./sights.ts";

/** A label that is there already is not set again: GitHub tells nobody. */
export function setLabel(scene: Scene, by: Actor): void {
  const labels = ["taskfleet"];
  if (scene.model.issues.get(scene.issue)?.timeline.now.labels.includes("taskfleet") === true) return;
  changeIssue(scene.model, scene.issue, by, "labeled", { labels }, { label: { name: "Taskfleet" } });
}

export function renewLabel(scene: Scene): void {
  if (scene.model.issues.get(scene.issue)?.timeline.now.labels.includes("taskfleet") === true)
    changeIssue(scene.model, scene.issue, ALICE, "unlabeled", { labels: [] }, { label: { name: "taskfleet" } });
  setLabel(scene, ALICE);
}

/** A run that was given up may be followed by another one, once somebody sets the label again. */
export function wantMore(scene: Scene, looks: number): void {
  if (hasComment(scene.model, /^report$/u)) {
    if (scene.model.issues.get(scene.issue)?.timeline.now.state === "open") renewLabel(scene);
  } else if (looks < 30)
    scene.intend(`more:${looks}`, 20 * MINUTE, "alice looks whether the run has ended", () =>
      wantMore(scene, looks + 1),
    );
}
