/** What plays and judges the stories: a net nobody tests may have holes. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { copySource, runMutants } from "./mutants/run-mutants.ts";
import { buildCalmScenario, buildScenario, CALM } from "./scenario.ts";
import { shrink } from "./shrink.ts";
import { simulate } from "./simulate.ts";
import { createSqliteDatabase } from "./store/sqlite-story-database.ts";
import type { StoryDatabase } from "./store/story-database.ts";
import { describeUncovered } from "./summary.ts";
import { tellFailure } from "./tell-failure.ts";

describe("a story on SQLite", () => {
  it("gives every process a connection of its own, ends it with the process, and loses the file", async () => {
    const seen = { opened: 0, closed: 0, lost: 0, over: 0 };
    const createDatabase = (): StoryDatabase => {
      const database = createSqliteDatabase();
      return {
        async open() {
          const store = await database.open();
          seen.opened += 1;
          return {
            ...store,
            async close() {
              await store.close();
              seen.closed += 1;
            },
          };
        },
        async lose() {
          await database.lose();
          seen.lost += 1;
        },
        async close() {
          await database.close();
          seen.over += 1;
        },
      };
    };
    const calm = buildCalmScenario(3, 2);
    const scenario = { ...calm, instances: 2 as const, faults: { ...CALM, crash: 0.01 }, databaseLost: 0.6 };
    const { violations, stuck, incidents, ended } = await simulate(scenario, { createDatabase });
    expect([violations, stuck, ended]).toEqual([[], null, "merged"]);
    const deaths = incidents.filter(({ words }) => words.startsWith("the process dies")).length;
    expect(deaths).toBeGreaterThan(1);
    expect([seen.lost, seen.over]).toEqual([1, 1]);
    // Two at the start, one for each that died, two after the loss, and those of the operator and the judge.
    expect(seen.opened).toBeGreaterThanOrEqual(deaths + 5);
    expect(seen.closed).toBe(seen.opened);
  }, 60_000);

  it("is the story that it is in memory, when only one process writes", async () => {
    const scenario = { ...buildCalmScenario(4, 3), databaseLost: 0.6 };
    const inMemory = await simulate(scenario);
    const onFile = await simulate(scenario, { createDatabase: createSqliteDatabase });
    expect(inMemory.history.some((line) => line.includes("Read back"))).toBe(true);
    expect(onFile.history).toEqual(inMemory.history);
  }, 60_000);
});

describe("a failure", () => {
  it("is made shorter only where there is one", async () => {
    const scenario = buildCalmScenario(1, 1);
    await expect(shrink(scenario, await simulate(scenario))).rejects.toThrow("seed 1 does not fail");
  });

  it("that does not come again is called that, with the way to play it on the same database", async () => {
    const told = await tellFailure(1, "sqlite", "I1: something landed");
    expect(told).toContain("I1: something landed");
    expect(told).toContain("did not when it was played again");
    expect(told).toContain("Again: npm run sim -- --seeds 1 --seed 1 --sqlite 1");
  });
});

describe("the seeds", () => {
  it("are too few to say what never occurs below 2,000, and leave nothing out from there on", () => {
    expect(describeUncovered({ seeds: 1_999, uncovered: ["SourceMoved"] })).toBeNull();
    expect(describeUncovered({ seeds: 2_000, uncovered: [] })).toBeNull();
    expect(describeUncovered({ seeds: 2_000, uncovered: ["SourceMoved"] })).toContain("never occurred: SourceMoved");
  });

  it("draw half of the plans with up to five chunks, one in twenty with thirty to sixty, and every size in between", () => {
    const sizes = Array.from({ length: 4_000 }, (_, index) => buildScenario(index + 1).chunks.length);
    const share = (from: number, to: number): number =>
      sizes.filter((size) => size >= from && size <= to).length / sizes.length;
    expect(Math.abs(share(1, 5) - 0.5)).toBeLessThan(0.03);
    expect(Math.abs(share(30, 60) - 0.05)).toBeLessThan(0.015);
    for (let size = 1; size <= 60; size += 1) expect([size, sizes.includes(size)]).toEqual([size, true]);
  });
});

describe("a mutant", () => {
  it("whose source cannot be loaded is an error and no catch", async () => {
    const told = await huntIn((text) => `${text}\nconst = 1;\n`, "src/engine/decide.ts");
    expect(told).toContain("the mutant keep-the-branches cannot be loaded");
  }, 180_000);

  it("whose module throws while it is loaded is an error and no catch", async () => {
    const told = await huntIn((text) => `${text}\n(null as unknown as () => void)();\n`, "src/engine/decide.ts");
    expect(told).toContain("the mutant keep-the-branches cannot be loaded");
  }, 180_000);

  it("is not caught by a seed that fails without it as well", async () => {
    const told = await huntIn(
      (text) => text.replace("const [first] =", 'if (outcome.seed === 1) return "rain";\n  const [first] ='),
      "test/sim/shrink.ts",
    );
    expect(told).toBe(
      "seed 1 fails on the source as it is, too (rain): it says nothing about the mutant keep-the-branches",
    );
  }, 180_000);
});

/** What is said of a mutant when the source that it is made of has one file changed. */
async function huntIn(change: (text: string) => string, file: string): Promise<string> {
  const source = copySource();
  try {
    const changed = path.join(source, file);
    const before = readFileSync(changed, "utf8");
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(changed, after);
    await runMutants({ seeds: 1, tell: () => undefined, only: ["keep-the-branches"], source });
    return "all well";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}
