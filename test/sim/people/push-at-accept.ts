import { pushFiles } from "../model/branches.ts";
import { mayPush } from "./access.ts";
import { WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";

const LOOKS = 200;

/** On the source branch, while the whole feature is being judged: what is verified then is not what would be merged. */
export function pushAtAccept(scene: Scene, label: string, looks = 0): void {
  const { model } = scene;
  const judged = [...model.runs.values()].some(
    ({ title, timeline }) => title.includes("/floor:accept-") && timeline.now.status === "in_progress",
  );
  if (judged && mayPush(model)) {
    if (scene.note(`push-at-accept:${label}`, "will pushes to the source branch just before the merge"))
      pushFiles(model, model.defaultBranch, WILL, "Just in time", { [`src/late-${label}.js`]: "const late = 1;\n" });
  } else if (looks < LOOKS) model.time.after(2 * MINUTE, () => pushAtAccept(scene, label, looks + 1));
}
