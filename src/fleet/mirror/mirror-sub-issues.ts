/** Makes the sub-issues of a run's issue show its chunks: whatever differs is mended, so it may be called at any time. */
import type { ChunkId } from "../../contracts/ids.ts";
import { hasMarker } from "../../contracts/names.ts";
import { listTrackerItems, type TrackerItem } from "../../engine/derive/tracker-items.ts";
import type { RunState } from "../../engine/state.ts";
import type { SubIssue, TrackerPort } from "../../github/port.ts";
import { formatTrackerKey, renderTrackerIssue } from "../../messages/tracker-issue.ts";

/** GitHub's limit, also of those that are closed and of those that people made. */
const MOST_SUB_ISSUES = 100;
/** More relations of one kind than this GitHub does not take. */
const MOST_BLOCKERS = 50;

export interface Mirrored {
  /** Chunks for which there was no room. */
  readonly left: readonly ChunkId[];
}

export async function mirrorSubIssues(tracker: TrackerPort, state: RunState): Promise<Mirrored> {
  const items = listTrackerItems(state);
  const there = await tracker.loadSubIssues(state.run.issue);
  const issues = new Map<ChunkId, SubIssue>();
  const fresh = new Set<ChunkId>();
  const left: ChunkId[] = [];
  let room = MOST_SUB_ISSUES - there.length;
  for (const item of items) {
    const text = renderTrackerIssue(state, item);
    const known = findIssue(there, state, item.chunk);
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
    if (issue.own && issue.body.includes(`<!-- taskfleet:${state.run.run} tracker:`) && !wanted.has(issue.number))
      await settle(tracker, issue, "dropped");
  return { left };
}

/** Only our own text counts: anybody can type a marker. */
function findIssue(there: readonly SubIssue[], state: RunState, chunk: ChunkId): SubIssue | undefined {
  const marker = { run: state.run.run, key: formatTrackerKey(chunk) };
  return there.find((issue) => issue.own && hasMarker(issue.body, marker));
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
