import { describe, expect, it } from "@jest/globals";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Summary } from "./summary.ts";
import { STEADY_MISTAKES } from "./agents/implementer.ts";
import { buildCalmScenario, buildScenario } from "./scenario.ts";
import { simulate } from "./simulate.ts";

const run = promisify(execFile);

describe("the simulation", () => {
  it("brings a calm run of one chunk to its merge", async () => {
    const outcome = await simulate(buildCalmScenario(1, 1));
    expect(outcome.violations).toEqual([]);
    expect(outcome.chunks).toEqual({ c0: "landed" });
    expect(outcome.ended).toBe("merged");
  });

  it("tells the same story from the same seed", async () => {
    const first = await simulate(buildScenario(7));
    const second = await simulate(buildScenario(7));
    expect(second.history).toEqual(first.history);
    expect(second.steps).toBe(first.steps);
  });

  it("gives the same outcome per chunk whether webhooks come, come twice and late, or never come", async () => {
    const outcomes = new Set<string>();
    const sizes = new Set<number>();
    // As many as a minute of the processor's time allows.
    for (let seed = 1; seed <= 75; seed += 1) {
      const calm = buildCalmScenario(seed, 2 + (seed % 9));
      const plain = { ...calm, temper: { ...calm.temper, implementer: 0.8 }, mistakes: STEADY_MISTAKES };
      const { chunks, ended } = await simulate(plain);
      sizes.add(Object.keys(chunks).length);
      for (const word of Object.values(chunks)) outcomes.add(word);
      for (const faults of [
        { ...calm.faults, dropped: 1 },
        { ...calm.faults, doubled: 0.5, delayed: 0.5 },
        { ...calm.faults, doubled: 1, delayed: 1 },
      ]) {
        const outcome = await simulate({ ...plain, faults });
        expect([seed, faults, outcome.chunks, outcome.ended]).toEqual([seed, faults, chunks, ended]);
      }
    }
    // Otherwise the stories would have nothing to differ in.
    expect([...outcomes].sort()).toEqual(["landed", "skipped"]);
    expect(sizes.size).toBe(9);
  }, 900_000);

  it("violates nothing and is never stuck in 300 stories", async () => {
    const { stdout } = await run(process.execPath, ["tools/dev/sim.ts", "--seeds", "300", "--json"], {
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: { readonly stdout: string }) => error);
    const summary = JSON.parse(stdout.trim().split("\n").at(-1) ?? "null") as Summary;
    expect(summary.violations).toEqual([]);
    expect(summary.stuck).toBe(0);
    expect(summary.seeds).toBe(300);
  }, 1_800_000);
});
