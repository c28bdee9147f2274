import { createComment } from "../model/issues.ts";
import { keepPromise } from "./by-hand.ts";
import { ALICE } from "./cast.ts";
import { regretSkip } from "./reopen.ts";
import { MINUTE, type Scene } from "./scene.ts";

/** What a person does after their command. */
export function followUp(scene: Scene, words: string, label: string): void {
  keepPromise(scene, words, label);
  if (scene.scenario.crowd === "lively") regretSkip(scene, words, label);
  // Who cancels may regret it at once.
  if (words === "/cancel" && scene.chance.happens(`regrets:${label}`, 0.4))
    scene.intend(`regrets:${label}`, scene.chance.int(`regrets-at:${label}`, 5, 120) * 1_000, "alice regrets it", () =>
      createComment(scene.model, scene.issue, ALICE, "/replan No, go on, but simpler."),
    );
  // What should be different is often said a second time, better, while the planner is at it.
  if (!words.startsWith("/replan") || !scene.chance.happens(`changes-mind:${label}`, 0.4)) return;
  const minutes = scene.chance.int(`changes-mind-at:${label}`, 1, 6);
  scene.intend(`changes-mind:${label}`, minutes * MINUTE, "alice asks for something else after all", () =>
    createComment(scene.model, scene.issue, ALICE, `/replan No: ${label}, please.`),
  );
}
