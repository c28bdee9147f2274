/** What must hold at every step of every run (the design's invariants, as far as the engine owns them). */
import { expect } from "@jest/globals";
import type { ChunkId } from "../../src/contracts/ids.ts";
import { deriveStops } from "../../src/engine/derive/chunk-progress.ts";
import { listOpenJobs } from "../../src/engine/derive/jobs.ts";
import { deriveActiveRevision, deriveHold } from "../../src/engine/derive/plan-progress.ts";
import type { RunState } from "../../src/engine/state.ts";
import { findRow } from "../../src/engine/table.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import type { Play, Step } from "./play.ts";
import type { Story } from "./story.ts";
import { VISIBLE } from "./play.ts";

export function checkInvariants({ steps }: Play): void {
  const dispatched = new Set<string>();
  for (const step of steps) {
    const { action, before } = step;
    if (action.kind === "DispatchJob") {
      const { job, subject, attempt } = action.dispatch;
      if (!action.probe) {
        expect([job, dispatched.has(job)]).toEqual([job, false]);
        dispatched.add(job);
      }
      expect(findRow(before.jobs, job)).toBeUndefined();
      expect(before.cancelled).toBeNull();
      expect(before.ended).toBeNull();
      if (attempt !== null) checkStart(step, attempt.chunk, attempt.n);
      if (subject.role === "review") checkReviewer(before, subject.chunk);
    }
    if (action.kind === "LandChunks") checkLanding(step);
    if (action.kind === "MergeFeature") checkMerge(step);
    // An effect that may have happened already is looked for, and only once GitHub would show it.
    if (VISIBLE.has(action.kind))
      expect([action.key, action.probe]).toEqual([action.key, before.pending[action.key] !== undefined]);
  }
}

/** I3 and I4: deps have landed, nobody else holds the scope, caps and limits hold, nothing forbids it. */
function checkStart({ action, before }: Step, id: ChunkId, n: number): void {
  const revision = deriveActiveRevision(before);
  const definition = revision?.plan.chunks.find((chunk) => chunk.id === id);
  const entry = findRow(before.chunks, id);
  expect([action.key, definition !== undefined, entry !== undefined]).toEqual([action.key, true, true]);
  if (definition === undefined || entry === undefined || revision === null) return;
  expect(deriveHold(before)).toBeNull();
  for (const dep of definition.deps ?? []) {
    const other = findRow(before.chunks, dep as ChunkId);
    expect([id, dep, other?.landed !== null || other?.skipped]).toEqual([id, dep, true]);
  }
  const stops = deriveStops(before);
  expect([id, stops.escalated.has(id), stops.stopped.has(id)]).toEqual([id, false, false]);
  expect(n).toBe(entry.attempts.length + 1);
  const { limits } = before.run.config;
  const counted = entry.attempts.slice(entry.countFrom);
  const count = (...stages: readonly string[]): number =>
    counted.filter((attempt) => stages.includes(attempt.stage)).length;
  expect(count("refused", "floor-failed")).toBeLessThan(limits.tries);
  expect(count("review-failed")).toBeLessThan(limits.tries);
  expect(count("unusable")).toBeLessThan(limits.unusable);
  const running = listOpenJobs(before).filter((job) => job.subject.role === "implement");
  expect(running.length).toBeLessThan(limits.parallel);
  const files = new Set(definition.files_touched.map((path) => path.toLowerCase()));
  for (const other of revision.plan.chunks) {
    const live = findRow(before.chunks, other.id as ChunkId)?.attempts.at(-1);
    const holds = ["implementing", "received", "committed", "floor-passed", "verified"].includes(live?.stage ?? "");
    // An escalated chunk is a person's business and holds nothing.
    if (other.id === id || !holds || stops.escalated.has(other.id as ChunkId)) continue;
    expect([id, other.id, other.files_touched.filter((path) => files.has(path.toLowerCase()))]).toEqual([
      id,
      other.id,
      [],
    ]);
  }
}

/** A reviewer is asked only about a commit that passed the floor. */
function checkReviewer(before: RunState, id: ChunkId): void {
  const attempt = findRow(before.chunks, id)?.attempts.at(-1);
  const overruled = before.overrides.some((one) => one.chunk === id && one.attempt === attempt?.n);
  const outcome = overruled ? "pass" : attempt?.floor?.result.outcome;
  expect([id, attempt?.stage, outcome]).toEqual([id, "floor-passed", "pass"]);
}

/** I1: what lands is a tree the floor passed on this very tip, and every chunk in it has a PASS for its own commit. */
function checkLanding({ action, before }: Step): void {
  if (action.kind !== "LandChunks") return;
  expect(deriveHold(before)).toBeNull();
  expect(action.tip).toBe(before.integration?.tip);
  for (const id of action.chunks) {
    const attempt = findRow(before.chunks, id)?.attempts.at(-1);
    const overruled = before.overrides.some(
      (one) => one.chunk === id && one.attempt === attempt?.n && one.gate === "review",
    );
    const outcome = overruled ? "pass" : attempt?.review?.result.outcome;
    expect([id, attempt?.stage, outcome]).toEqual([id, "verified", "pass"]);
  }
  if (action.via === "direct") {
    const [only, ...others] = action.chunks;
    expect(others).toEqual([]);
    const attempt = only === undefined ? undefined : findRow(before.chunks, only)?.attempts.at(-1);
    expect([attempt?.head, attempt?.base]).toEqual([action.verified, action.tip]);
    expect(attempt?.floor?.document).toBe(action.document);
    return;
  }
  const candidate = before.candidates.rows.find((entry) => entry.commit === action.verified);
  expect([candidate?.base, candidate?.floor?.result.outcome, candidate?.floor?.document]).toEqual([
    action.tip,
    "pass",
    action.document,
  ]);
  expect([...action.chunks].sort()).toEqual([...(candidate?.chunks ?? [])].sort());
}

/** I1 for the source branch: floor and final review passed on it, and the repository's own checks. */
function checkMerge({ action, before }: Step): void {
  if (action.kind !== "MergeFeature") return;
  const accept = before.accepts.find((entry) => entry.n === action.n);
  const overruled = before.overrides.some((one) => one.accept === action.n);
  expect(accept?.accepted).toBe(action.commit);
  if (!overruled) expect([accept?.floor?.result.outcome, accept?.review?.result.outcome]).toEqual(["pass", "pass"]);
  if (before.run.config.ci.gather) expect(accept?.ci?.state).toBe("pass");
  expect(accept?.stale).toBeNull();
  expect(before.integration?.tip).toBe(action.commit);
  for (const chunk of before.chunks.rows)
    expect([chunk.id, chunk.landed !== null || chunk.skipped]).toEqual([chunk.id, true]);
}

/** I9: a run that rests has ended, or there is a question people can see, or a time when it looks again. */
export function checkNoStall(story: Story, { rest }: Play): void {
  const { state, now } = story;
  if (state.ended !== null) return;
  const asked = deriveNeeds(state, now).filter((need) => state.comments[`need:${need.key}`] !== undefined);
  const open = rest.waits.filter((wait) => wait.until === null && wait.unblock !== "");
  expect(rest.actions).toEqual([]);
  expect(asked.length + open.length + (rest.wakeAt === null ? 0 : 1)).toBeGreaterThan(0);
}
