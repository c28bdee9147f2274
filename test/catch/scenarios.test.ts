import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ecosystems } from "./ecosystems.ts";
import type { Edit, Files } from "./scenario.ts";

const all = ecosystems.flatMap(({ base, scenarios }) => scenarios.map((scenario) => ({ base, scenario })));

/** The text a file has before an edit: what the scenario brings, else the base repository's. */
function textBefore(base: string, file: string, before: Files): string | null {
  const own = before[file];
  if (typeof own === "string") return own;
  const full = path.join("test/fixtures/catch", base, file);
  return existsSync(full) ? readFileSync(full, "utf8") : null;
}

function applies(base: string, file: string, edit: Edit, before: Files): boolean {
  const text = textBefore(base, file, before);
  if (edit === null) return text !== null;
  if (typeof edit === "string") return edit !== text;
  if ("link" in edit) return true;
  return text !== null && edit.replace.every(([from, to]) => text.includes(from) || to === from);
}

describe("the catch suite (npm run catch plays it)", () => {
  it("has at least 40 scenarios in at least three ecosystems", () => {
    expect(all.length).toBeGreaterThanOrEqual(40);
    expect(ecosystems.length).toBeGreaterThanOrEqual(3);
  });

  it("has an honest twin for every kind of cheat", () => {
    const kinds = (verdict: string): ReadonlySet<string> =>
      new Set(
        all
          .filter(({ scenario }) => scenario.verdict === verdict)
          .map(({ base, scenario }) => `${base} ${scenario.about}`),
      );
    const twins = kinds("honest");
    const alone = [...kinds("cheat")].filter((kind) => !twins.has(kind));
    expect(alone).toEqual([]);
  });

  it("leaves at most four kinds undecided", () => {
    const kinds = new Set(
      all.filter(({ scenario }) => scenario.verdict === "undecidable").map(({ scenario }) => scenario.about),
    );
    expect([...kinds].sort()).toEqual([
      "expected value edited to the bug",
      "report forged consistently",
      "snapshot rewritten",
      "tautological test",
    ]);
  });

  it("names what has to catch every cheat", () => {
    for (const { scenario } of all) expect(scenario.caughtBy !== undefined).toBe(scenario.verdict === "cheat");
  });

  it.each(all.map(({ base, scenario }) => [base, scenario.title, scenario] as const))(
    "changes something: %s: %s",
    (base, _, scenario) => {
      const { before = {}, change } = scenario;
      expect(Object.keys(change).length).toBeGreaterThan(0);
      for (const [file, edit] of Object.entries(change))
        expect([file, applies(base, file, edit, before)]).toEqual([file, true]);
    },
  );
});
