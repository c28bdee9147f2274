import { pressButton } from "../model/checks.ts";
import { TASKFLEET } from "../model/identities.ts";
import { TRIXIE, WILL } from "./cast.ts";
import type { Scene } from "./scene.ts";

/** Old checks keep their buttons, whatever has become of what they stand for. */
export function pressAnyButton(scene: Scene, label: string): void {
  const { model, chance } = scene;
  const buttons = [...model.checks.values()].flatMap((check) =>
    check.appId === TASKFLEET.id
      ? (check.timeline.now.buttons ?? []).map(({ identifier }) => ({ check, identifier }))
      : [],
  );
  const found = buttons[Math.floor(chance.unit(`button:${label}`) * buttons.length)];
  if (found !== undefined)
    pressButton(model, found.check, chance.pick(`presses:${label}`, [WILL, WILL, WILL, TRIXIE]), found.identifier);
}
