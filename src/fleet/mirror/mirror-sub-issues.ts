/** Makes the sub-issues of a run's issue show its chunks: whatever differs is mended, so it may be called at any time. */
import type { ChunkId } from "../../contracts/ids.ts";
import { hasMarker, parseMarker } from "../../contracts/names.ts";
import { listTrackerItems, type TrackerItem } from "../../engine/derive/tracker-items.ts";
import type { RunState } from "../../engine/state.ts";
import type { SubIssue, TrackerPort } from "../../github/tracker-port.ts";
import { EnoughWritten, limitWrites } from "./limit-writes.ts";
import { formatTrackerKey, renderTrackerIssue } from "../../messages/tracker-issue.ts";

/** GitHub's limit, also of those that are closed and of those that people made. */
const MOST_SUB_ISSUES = 100;
/** More relations of one kind than this GitHub does not take. */
const MOST_BLOCKERS = 50;

/** Clocks differ. */
const OVERLAP_MS = 60_000;

export interface Mirrored {
  /** Chunks for which there was no room. */
  readonly left: readonly ChunkId[];
  /** False when `most` was reached: the rest is done by calling it again, once reads show what was written. */
  readonly complete: boolean;
}

/** @param most writes; each is one that GitHub's limits count, and the run's own turn waits for them. */
export async function mirrorSubIssues(tracker: TrackerPort, state: RunState, most: number): Promise<Mirrored> {
  const left: ChunkId[] = [];
  try {
    await show(limitWrites(tracker, most), state, left);
    return { left, complete: true };
  } catch (error) {
    if (!(error instanceof EnoughWritten)) throw error;
    return { left, complete: false };
  }
}

async function show(tracker: TrackerPort, state: RunState, left: ChunkId[]): Promise<void> {
  const items = listTrackerItems(state);
  const there = await tracker.loadSubIssues(state.run.issue);
  const issues = new Map<ChunkId, SubIssue>();
  const fresh = new Set<ChunkId>();
  let room = MOST_SUB_ISSUES - there.length;
  // Written, but not put below its parent: we died in between, or a person took it away.
  const lost =
    room > 0 && items.some(({ chunk }) => findIssue(there, state, chunk) === undefined)
      ? await tracker.loadOwnIssues(state.startedAt - OVERLAP_MS)
      : [];
  for (const item of items) {
    const text = renderTrackerIssue(state, item);
    let known = findIssue(there, state, item.chunk);
    if (known === undefined && room > 0) {
      known = findIssue(lost, state, item.chunk);
      if (known !== undefined) {
        room -= 1;
        await tracker.attachSubIssue(state.run.issue, known.id);
      }
    }
    if (known !== undefined) {
      issues.set(item.chunk, known);
      if (known.title !== text.title || known.body !== text.body) await tracker.updateSubIssue(known.number, text);
    } else if (room > 0) {
      room -= 1;
      issues.set(item.chunk, await tracker.createSubIssue(state.run.issue, text));
      fresh.add(item.chunk);
    } else left.push(item.chunk);
  }
  for (const item of items) await relate(tracker, item, issues, fresh);
  for (const item of items) await settle(tracker, issues.get(item.chunk), item.status);
  // What a later revision does not have any more.
  const wanted = new Set([...issues.values()].map((issue) => issue.number));
  for (const issue of there)
    if (issue.own && isOfRun(issue, state) && !wanted.has(issue.number)) await settle(tracker, issue, "dropped");
}

/** Only our own text counts: anybody can type a marker. */
function findIssue(there: readonly SubIssue[], state: RunState, chunk: ChunkId): SubIssue | undefined {
  const marker = { run: state.run.run, key: formatTrackerKey(chunk) };
  return there.find((issue) => issue.own && hasMarker(issue.body, marker));
}

function isOfRun(issue: SubIssue, state: RunState): boolean {
  const marker = parseMarker(issue.body);
  return marker?.run === state.run.run && marker.key.startsWith(formatTrackerKey(""));
}

async function relate(
  tracker: TrackerPort,
  item: TrackerItem,
  issues: ReadonlyMap<ChunkId, SubIssue>,
  fresh: ReadonlySet<ChunkId>,
): Promise<void> {
  const issue = issues.get(item.chunk);
  // What is settled waits for nothing.
  if (issue === undefined || item.status !== "open") return;
  const wanted = item.blockedBy.flatMap((chunk) => issues.get(chunk)?.id ?? []).slice(0, MOST_BLOCKERS);
  const known = fresh.has(item.chunk) ? [] : await tracker.loadBlockers(issue.number);
  for (const id of wanted) if (!known.includes(id)) await tracker.addBlocker(issue.number, id);
  const ours = new Set([...issues.values()].map((one) => one.id));
  // What people added beside ours stays.
  for (const id of known) if (ours.has(id) && !wanted.includes(id)) await tracker.removeBlocker(issue.number, id);
}

async function settle(tracker: TrackerPort, issue: SubIssue | undefined, status: TrackerItem["status"]): Promise<void> {
  if (issue === undefined || (issue.state === "open") === (status === "open")) return;
  const state = status === "open" ? "open" : status === "done" ? "completed" : "not_planned";
  await tracker.updateSubIssue(issue.number, { state });
}
