import { describe, expect, it } from "@jest/globals";
import { globSync } from "node:fs";
import path from "node:path";
import { mutationParts } from "../../tools/dev/mutation/parts.ts";

const cwd = path.join(import.meta.dirname, "../..");

/** Types, data and names handed on: nothing in them could be changed unnoticed by a test. */
const inert = ["src/plan/checklist/checklist.ts", "src/plan/graph.ts", "src/plan/render/plan-notes.ts"];

describe("the parts that mutations run in", () => {
  it("are all of src/plan", () => {
    const mutated = new Set(mutationParts.flatMap(({ mutate }) => globSync([...mutate], { cwd })));
    const all = globSync("src/plan/**/*.ts", { cwd });
    expect(all.filter((file) => !mutated.has(file)).toSorted()).toEqual(inert);
  });

  it.each(mutationParts)("$name names tests that exist", ({ tests }) => {
    for (const glob of tests) expect(globSync(glob, { cwd })).not.toEqual([]);
  });
});
