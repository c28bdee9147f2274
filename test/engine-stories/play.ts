/**
 * Plays a run to its end against a {@link World}: asks `decide`, obeys the first action as the shell
 * does, and when nothing is left to do lets one thing of the world happen. Purely with facts.
 */
import { decide } from "../../src/engine/decide.ts";
import type { Action, Decision } from "../../src/engine/action.ts";
import { listOpenJobs } from "../../src/engine/derive/jobs.ts";
import type { Fact } from "../../src/engine/fact.ts";
import type { JobState, RunState } from "../../src/engine/state.ts";
import { endJob } from "./end-job.ts";
import { answerAction } from "./obey.ts";
import { describeDispatch } from "../../src/fleet/apply/describe-dispatch.ts";
import type { Story } from "./story.ts";
import type { World } from "./world.ts";

export const TIMING = { staleReadMs: 120_000 };
const MAX_STEPS = 6_000;

/** One action with the state it was decided in. */
export interface Step {
  readonly action: Action;
  readonly before: RunState;
  readonly decision: Decision;
}

export interface PlayOptions {
  /** Which of `count` things happens next; the first when absent. */
  readonly choose?: (count: number) => number;
  /** Whether the App dies while it carries out this action: `before` the effect, `after` it, or not at all. */
  readonly crash?: (action: Action) => "before" | "after" | null;
  /** Seen after every step; may record facts of its own (a command, a push). */
  readonly watch?: (step: Step) => void;
  /** Returns true to stop early. */
  readonly until?: (state: RunState) => boolean;
}

export interface Play {
  readonly steps: readonly Step[];
  /** Why nothing happens any more. */
  readonly rest: Decision;
}

/** Effects whose beginning the shell records, since a repeat would be visible. */
export const VISIBLE: ReadonlySet<Action["kind"]> = new Set([
  "DispatchJob",
  "OpenFeaturePull",
  "OpenChunkPull",
  "PublishCheck",
  "PostReview",
  "PostComment",
  "MarkReady",
]);

export function play(story: Story, world: World, options: PlayOptions = {}): Play {
  const steps: Step[] = [];
  /** Effects that happened although no fact says so: what a probe finds. */
  const happened = new Map<string, readonly Fact[]>();
  const settled = new Set<number>();
  for (let count = 0; count < MAX_STEPS; count += 1) {
    if (options.until?.(story.state) === true) break;
    const decision = decide(story.state, story.now, TIMING);
    const [action] = decision.actions;
    if (action !== undefined) {
      const step: Step = { action, before: story.state, decision };
      steps.push(step);
      obey(story, world, action, happened, options);
      options.watch?.(step);
      continue;
    }
    if (happen(story, world, settled, options)) continue;
    // Nothing happens by itself: only time can pass.
    if (decision.wakeAt === null || decision.wakeAt <= story.now) break;
    if (onlyWaitsForPulls(decision)) break;
    story.wait(decision.wakeAt - story.now);
  }
  const rest = decide(story.state, story.now, TIMING);
  if (steps.length >= MAX_STEPS - 1)
    throw new Error(
      `it never ends: ${steps
        .slice(-5)
        .map((step) => step.action.key)
        .join(", ")}`,
    );
  return { steps, rest };
}

function onlyWaitsForPulls(decision: Decision): boolean {
  return decision.waits.length > 0 && decision.waits.every((wait) => wait.until === null);
}

function obey(
  story: Story,
  world: World,
  action: Action,
  happened: Map<string, readonly Fact[]>,
  options: PlayOptions,
): void {
  story.wait(1_000);
  recordBeginning(story, action);
  const crash = options.crash?.(action) ?? null;
  if (crash === "before") return;
  const found = action.probe ? findHappened(happened, action) : undefined;
  const facts = found ?? answerAction(story, world, action);
  if (crash === "after") {
    happened.set(action.key, facts);
    return;
  }
  happened.delete(action.key);
  story.record(...facts);
}

/** What a look finds; a job that is stopped before anybody knows of it has begun for nobody. */
function findHappened(happened: Map<string, readonly Fact[]>, action: Action): readonly Fact[] | undefined {
  const found = happened.get(action.key);
  if (found !== undefined || action.kind !== "CancelJob") return found;
  return happened
    .get(`job:${action.job}`)
    ?.map((fact) => (fact.kind === "JobDispatched" ? { ...fact, attempt: null, attemptOf: null } : fact));
}

/** As the shell does before an effect that a repeat would double. */
export function recordBeginning(story: Story, action: Action): void {
  if (!VISIBLE.has(action.kind)) return;
  const began = action.kind === "DispatchJob" ? describeDispatch(action.dispatch) : {};
  story.record({ kind: "EffectStarted", effect: action.key, ...began });
}

/** One job ends, one merged pull request is noticed, or the repository's own checks report. */
export function happen(story: Story, world: World, settled: Set<number>, options: PlayOptions): boolean {
  const { state } = story;
  const jobs = listOpenJobs(state);
  const pulls = listUnsettled(state).filter((number) => !settled.has(number));
  const accept = state.accepts.at(-1);
  const waitsForCi = accept !== undefined && accept.accepted !== null && accept.ci === null && state.merged === null;
  const events: Array<() => void> = [
    ...jobs.map((job: JobState) => () => endJob(story, world, job)),
    ...pulls.map((number) => () => {
      settled.add(number);
      story.record({ kind: "PullSettled", number, outcome: "merged" });
    }),
  ];
  if (waitsForCi && world.ci(accept.n) !== "pending")
    events.push(() => {
      const outcome = world.ci(accept.n);
      story.record({
        kind: "CiGathered",
        n: accept.n,
        commit: accept.accepted ?? accept.commit,
        state: outcome,
        rows: [{ name: "ci / test", state: outcome, detail: "", url: "" }],
      });
    });
  if (events.length === 0) return false;
  story.wait(30_000);
  events[(options.choose?.(events.length) ?? 0) % events.length]?.();
  return true;
}

/** Pull requests whose head the integration branch (or the source branch) contains by now. */
function listUnsettled(state: RunState): readonly number[] {
  const chunks = state.chunks.rows.flatMap((chunk) =>
    chunk.landed === null ? [] : chunk.pulls.filter((pull) => pull.settled === null).map((pull) => pull.number),
  );
  const feature = state.featurePull;
  return state.merged !== null && feature !== null && feature.settled === null ? [...chunks, feature.number] : chunks;
}
