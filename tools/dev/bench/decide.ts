/**
 * What deciding costs: a whole run from its label to its merge is played once, and then folded again fact by
 * fact, with a decision after each fact after which the shell makes one. Only the second is measured.
 */
import { decide } from "../../../src/engine/decide.ts";
import { listOpenJobs } from "../../../src/engine/derive/jobs.ts";
import type { RecordedFact } from "../../../src/engine/fact.ts";
import { fold } from "../../../src/engine/fold.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { answerAction } from "../../../test/engine-stories/obey.ts";
import { buildChunk, buildDraft } from "../../../test/engine-stories/plans.ts";
import { happen, recordBeginning } from "../../../test/engine-stories/play.ts";
import { Story } from "../../../test/engine-stories/story.ts";
import { buildWorld } from "../../../test/engine-stories/world.ts";

const SIZES = [100, 1000];
const MOST_SECONDS = 3;
/** The cost of one fact at 1,000 chunks, against that at 100. */
const MOST_GROWTH = 2;
const TIMING = { staleReadMs: 0 };

/** Ten chains side by side, or nothing that waits for anything but a free agent. */
const SHAPES = {
  chains: (index: number) => (index < 10 ? [] : [`c${index - 10}`]),
  wide: () => [],
} as const satisfies Record<string, (index: number) => readonly string[]>;

interface Cost {
  readonly shape: string;
  readonly chunks: number;
  readonly facts: number;
  readonly seconds: number;
  readonly perFactUs: number;
  readonly stateBytes: number;
}

export async function run(): Promise<readonly string[]> {
  const missed: string[] = [];
  const costs: Cost[] = [];
  for (const shape of Object.keys(SHAPES) as ReadonlyArray<keyof typeof SHAPES>) {
    // The first one only warms the machine up.
    measure(shape, 100);
    const [small, large] = SIZES.map((size) => measure(shape, size));
    if (small === undefined || large === undefined) continue;
    costs.push(small, large);
    const growth = large.perFactUs / small.perFactUs;
    console.log(
      `${shape}: a fact at ${large.chunks} chunks costs ${growth.toFixed(2)} times as much as at ${small.chunks}`,
    );
    if (large.seconds > MOST_SECONDS)
      missed.push(`${shape}: ${large.chunks} chunks take ${large.seconds.toFixed(1)} s, at most ${MOST_SECONDS} s`);
    if (growth > MOST_GROWTH)
      missed.push(`${shape}: the cost of a fact grows ${growth.toFixed(2)} times, at most ${MOST_GROWTH}`);
  }
  console.table(
    costs.map((cost) => ({ ...cost, seconds: cost.seconds.toFixed(2), perFactUs: cost.perFactUs.toFixed(0) })),
  );
  return missed;
}

function measure(shape: keyof typeof SHAPES, size: number): Cost {
  const facts = playRun(shape, size);
  globalThis.gc?.();
  const begun = process.cpuUsage();
  let state: RunState | null = null;
  for (const recorded of facts) {
    state = fold(state, recorded);
    // The shell records the beginning of an effect and goes on with it.
    if (recorded.fact.kind !== "EffectStarted") decide(state, recorded.at, TIMING);
  }
  const { user, system } = process.cpuUsage(begun);
  if (state?.ended !== "merged") throw new Error(`the run ended as ${state?.ended ?? "nothing"}`);
  const seconds = (user + system) / 1_000_000;
  return {
    shape,
    chunks: size,
    facts: facts.length,
    seconds,
    perFactUs: (seconds * 1_000_000) / facts.length,
    stateBytes: JSON.stringify(state).length,
  };
}

/** The facts of a run in which everything goes well. */
function playRun(shape: keyof typeof SHAPES, size: number): readonly RecordedFact[] {
  const chunks = Array.from({ length: size }, (_, index) => buildChunk(`c${index}`, SHAPES[shape](index)));
  const story = new Story({
    config: { limits: { parallel: 10 }, plan: { max_chunks: 1000, approval: "auto" }, merge: { feature: "auto" } },
  });
  const world = buildWorld(buildDraft(chunks));
  const settled = new Set<number>();
  while (story.state.ended === null) {
    const { actions, wakeAt } = decide(story.state, story.now, TIMING);
    const [action] = actions;
    if (action === undefined) {
      // GitHub notices merges before the next job ends; jobs end in the order in which they began.
      const jobs = listOpenJobs(story.state).length;
      if (!happen(story, world, settled, { choose: (count) => (count > jobs ? count - 1 : 0) }))
        story.wait(Math.max(60_000, (wakeAt ?? story.now) - story.now));
      continue;
    }
    recordBeginning(story, action);
    story.record(...answerAction(story, world, action));
  }
  return story.facts;
}
