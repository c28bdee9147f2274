/** Somebody who takes what a question offers: to overrule what failed, where the question says. */
import { createComment } from "../model/issues.ts";
import { ALICE } from "./cast.ts";
import type { Scene } from "./scene.ts";
import { findFeature, type Question } from "./sights.ts";

/** As the options are shown: the gate, and the pull request where it is to be written, if one is named. */
const OFFER = /`\/override ([a-z-]+|<gate>) <why>`(?:: as a comment on #([0-9]+))?/gu;

/** What the whole feature may fail; which of them, its check says. */
const ANY_GATE = ["commands", "checks", "no-regression", "no-new-lint", "no-gaming", "scope", "7"];

/** @returns whether they did. */
export function overrule(scene: Scene, { key, text }: Question): boolean {
  const { model, chance, scenario } = scene;
  const offers = [...text.matchAll(OFFER)];
  if (scenario.crowd === "agreeable" || offers.length === 0 || !chance.happens(`overrules:${key}`, 0.5)) return false;
  const words = new Map<number, string[]>();
  for (const [, gate = "", number] of offers) {
    const on = number === undefined ? (findFeature(model)?.number ?? scene.issue) : Number(number);
    const gates = gate === "<gate>" ? ANY_GATE : [gate];
    words.set(on, [...(words.get(on) ?? []), ...gates.map((name) => `/override ${name} It is known, and fine.`)]);
  }
  for (const [on, lines] of words) createComment(model, on, ALICE, lines.join("\n"));
  return true;
}
