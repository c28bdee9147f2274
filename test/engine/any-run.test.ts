import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { createHash } from "node:crypto";
import type { Chunk } from "../../src/contracts/plan.ts";
import type { Action } from "../../src/engine/action.ts";
import type { CommandName } from "../../src/contracts/commands.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { checkInvariants, checkNoStall } from "../engine-stories/invariants.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, type Play } from "../engine-stories/play.ts";
import { failFloor, failReview, passFloor, passReview, voidReview } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld, type ImplementOutcome, type World } from "../engine-stories/world.ts";

/** A DAG of up to seven chunks, some of which touch the same file. */
const chunksOf = fc
  .array(
    fc.record({ deps: fc.array(fc.nat({ max: 6 }), { maxLength: 3 }), file: fc.nat({ max: 4 }), shares: fc.boolean() }),
    { minLength: 1, maxLength: 7 },
  )
  .map((nodes): readonly Chunk[] =>
    nodes.map(({ deps, file, shares }, index) =>
      buildChunk(
        `c${index}`,
        [...new Set(deps.filter((dep) => dep < index).map((dep) => `c${dep}`))],
        shares ? { files_touched: [`src/shared-${file}.js`, `src/c${index}.js`] } : {},
      ),
    ),
  );

/** A number from 0 to 99 that depends on nothing but its arguments. */
function roll(...parts: ReadonlyArray<string | number>): number {
  return createHash("sha256").update(parts.join("|")).digest().readUInt16BE(0) % 100;
}

interface Luck {
  readonly seed: number;
  /** Percentage of things that go wrong. */
  readonly bad: number;
}

const luck: fc.Arbitrary<Luck> = fc.record({ seed: fc.nat(), bad: fc.constantFrom(0, 10, 35, 70) });

function buildUnluckyWorld(chunks: readonly Chunk[], { seed, bad }: Luck, change: Partial<World> = {}): World {
  const fails = (...parts: ReadonlyArray<string | number>): boolean => roll(seed, ...parts) < bad;
  const outcomes: readonly ImplementOutcome[] = ["refused", "unusable", "external", "lost"];
  return buildWorld(buildDraft(chunks), {
    implement: (chunk, n) =>
      fails("implement", chunk, n) ? (outcomes[roll(seed, "how", chunk, n) % outcomes.length] ?? "unusable") : "done",
    floor: (chunk, n) =>
      fails("floor", chunk, n) ? (roll(seed, "lost", chunk, n) < 20 ? "lost" : failFloor()) : passFloor(),
    review: (chunk, n) => {
      if (!fails("review", chunk.id, n)) return passReview(chunk);
      const kind = roll(seed, "verdict", chunk.id, n);
      return kind < 15 ? "lost" : kind < 40 ? voidReview() : failReview(chunk);
    },
    conflicts: (chunk, n) => fails("conflict", chunk, n) && n < 6,
    candidate: (ids) => (fails("candidate", ...ids) ? failFloor() : passFloor()),
    acceptFloor: (n) => (fails("accept", n) ? failFloor() : passFloor()),
    finalReview: (n, whole) => (fails("final", n) ? failReview(whole) : passReview(whole)),
    ci: (n) => (fails("ci", n) ? "fail" : "pass"),
    sourceMoves: (n) => fails("source", n) && n < 4,
    ...change,
  });
}

const AUTO = { plan: { approval: "auto" }, merge: { feature: "auto" }, limits: { parallel: 2 } };

describe("any run", () => {
  it("keeps the invariants whatever fails and in whatever order things happen", () => {
    fc.assert(
      fc.property(chunksOf, luck, fc.infiniteStream(fc.nat({ max: 20 })), (chunks, chance, order) => {
        const story = new Story({ config: AUTO });
        const next = order[Symbol.iterator]();
        const played = play(story, buildUnluckyWorld(chunks, chance), { choose: () => next.next().value ?? 0 });
        checkInvariants(played);
        checkNoStall(story, played);
      }),
      { numRuns: 40 },
    );
  });

  it("merges everything when nothing fails for good", () => {
    fc.assert(
      fc.property(chunksOf, fc.infiniteStream(fc.nat({ max: 20 })), (chunks, order) => {
        const story = new Story({ config: AUTO });
        const next = order[Symbol.iterator]();
        // Each chunk fails its first floor and its first review, in two different attempts.
        const world = buildWorld(buildDraft(chunks), {
          floor: (_chunk, n) => (n === 1 ? failFloor() : passFloor()),
          review: (chunk, n) => (n === 2 ? failReview(chunk) : passReview(chunk)),
        });
        const played = play(story, world, { choose: () => next.next().value ?? 0 });
        checkInvariants(played);
        expect(story.state.ended).toBe("merged");
        expect(deriveNeeds(story.state, story.now)).toEqual([]);
        expect(played.rest.actions).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("comes to the same outcome for every chunk in whatever order jobs end", () => {
    fc.assert(
      fc.property(
        chunksOf,
        luck,
        fc.array(fc.nat({ max: 20 }), { minLength: 5, maxLength: 30 }),
        (chunks, chance, order) => {
          // Results that depend on the chunk and the attempt alone; candidates depend on who rides together.
          const world = buildUnluckyWorld(chunks, chance, { candidate: () => passFloor(), conflicts: () => false });
          const tell = (choose: (count: number) => number): Record<string, string> => {
            const story = new Story({ config: AUTO });
            play(story, world, { choose });
            return Object.fromEntries(
              story.state.chunks.rows.map((chunk) => [
                chunk.id,
                chunk.landed === null ? (chunk.attempts.at(-1)?.stage ?? "never started") : "landed",
              ]),
            );
          };
          let at = 0;
          expect(tell(() => order[(at += 1) % order.length] ?? 0)).toEqual(tell(() => 0));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("does nothing people see twice, wherever the App dies", () => {
    fc.assert(
      fc.property(chunksOf, luck, fc.nat(), (chunks, chance, seed) => {
        const story = new Story({ config: AUTO });
        const crashes = new Map<string, number>();
        const crash = (action: Action): "before" | "after" | null => {
          const times = crashes.get(action.key) ?? 0;
          const dies = times < 2 && roll(seed, action.key, times) < 20;
          crashes.set(action.key, times + 1);
          if (!dies) return null;
          return roll(seed, "when", action.key, times) < 50 ? "before" : "after";
        };
        const played = play(story, buildUnluckyWorld(chunks, chance), { crash });
        checkInvariants(played);
        checkNoStall(story, played);
        checkShownOnce(story);
      }),
      { numRuns: 40 },
    );
  });

  it("keeps the invariants whatever people command in between", () => {
    const command = fc.record({
      at: fc.nat({ max: 150 }),
      name: fc.constantFrom<CommandName>(
        "pause",
        "resume",
        "retry",
        "skip",
        "replan",
        "take",
        "assign",
        "override",
        "approve",
        "cancel",
      ),
      chunk: fc.nat({ max: 6 }),
    });
    fc.assert(
      fc.property(chunksOf, luck, fc.array(command, { maxLength: 8 }), (chunks, chance, commands) => {
        const story = new Story({ config: AUTO });
        let step = 0;
        const watch = (): void => {
          step += 1;
          for (const { at, name, chunk } of commands)
            if (at === step && (name !== "cancel" || at > 100)) story.command(name, formatArgs(name, chunk));
        };
        const world = buildUnluckyWorld(chunks, chance);
        const played = play(story, world, { watch });
        checkInvariants(played);
        checkNoStall(story, played);
        // Whatever they did: going on and dropping what nobody builds ends the run.
        if (story.state.paused !== null) story.command("resume");
        const rest = play(story, buildWorld(buildDraft(chunks)));
        checkInvariants(rest);
        checkNoStall(story, rest);
      }),
      { numRuns: 40 },
    );
  });

  it("decides the same for the same state, and its state is plain JSON", () => {
    fc.assert(
      fc.property(chunksOf, luck, (chunks, chance) => {
        const story = new Story({ config: AUTO });
        const played: Play = play(story, buildUnluckyWorld(chunks, chance));
        expect(JSON.parse(JSON.stringify(story.state))).toEqual(story.state);
        expect(played.steps.length).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });
});

function formatArgs(name: CommandName, chunk: number): string {
  switch (name) {
    case "retry":
    case "skip":
    case "take":
      return `c${chunk}`;
    case "assign":
      return `c${chunk} default`;
    case "override":
      return chunk < 3 ? "review it is fine" : "no regression it is fine";
    case "replan":
      return "do it differently";
    default:
      return "";
  }
}

/** Comments, pull requests and reviews: one fact each. */
function checkShownOnce(story: Story): void {
  const seen = new Set<string>();
  for (const { fact } of story.facts) {
    const key =
      fact.kind === "CommentPosted" || fact.kind === "ReviewPosted"
        ? `${fact.kind} ${fact.key}`
        : fact.kind === "FeaturePullOpened" || fact.kind === "FeatureMerged" || fact.kind === "RunEnded"
          ? fact.kind
          : fact.kind === "JobDispatched"
            ? `${fact.kind} ${fact.job}`
            : null;
    if (key === null) continue;
    expect([key, seen.has(key)]).toEqual([key, false]);
    seen.add(key);
  }
}
