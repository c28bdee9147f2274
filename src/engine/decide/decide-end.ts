import { listOurBranches, MARKED_WITHIN_MS } from "../derive/branches.ts";
import { listDoubtfulJobs } from "../derive/doubtful-jobs.ts";
import { isNotWaitedFor } from "../derive/given-up.ts";
import { listOpenJobs } from "../derive/jobs.ts";
import { listOpenPulls } from "../derive/open-pulls.ts";
import type { RunOutcome } from "../fact.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** A decision names no more than this; after each deletion there is another one. */
const AT_ONCE = 20;

/** What GitHub has not marked as merged by then is left to whoever pushed to it, with its branch. */
const LEFT_AFTER_MS = 3_600_000;

const CLOSING = "close-issue";

const AWAITED = {
  merged: { what: "GitHub has not marked its pull request as merged yet", unblock: "it does, or people look" },
  closed: { what: "its pull request is not closed yet", unblock: "it is, or people close it" },
  "bases-closed": {
    what: "pull requests of chunks that did not land are not closed yet",
    unblock: "they are, or people close them",
  },
} as const;

/** The report, the issue, the branches. */
export function decideEnd(builder: ActionBuilder, state: RunState, now: number): void {
  const outcome = deriveOutcome(state);
  if (outcome === null) return;
  const marker = outcome === "answered" ? "direct-answer" : "report";
  const report = `comment:${marker}`;
  if (state.comments[marker] === undefined) {
    builder.add(report, "dispatch", "Reporting what came of the run", {
      kind: "PostComment",
      on: state.run.issue,
      marker,
      subject: { kind: outcome === "answered" ? "direct-answer" : "report" },
    });
    if (!isNotWaitedFor(state, report)) return;
  }
  const closing = outcome === "merged" && !state.issueClosed;
  if (closing) builder.add(CLOSING, "dispatch", "The feature is merged: closing the issue", { kind: "CloseIssue" });
  const { deletable, waiting } = listOurBranches(state);
  const others = builder.actions.length;
  for (const branch of deletable) {
    // Those that wait for their next try do not count.
    if (builder.actions.length - others >= AT_ONCE) break;
    builder.add(`delete:${branch}`, "cosmetic", `Deleting ${branch}: it has served its purpose`, {
      kind: "DeleteBranch",
      branch,
    });
  }
  const isLeft = now >= state.at + LEFT_AFTER_MS;
  for (const { branch, awaits } of isLeft ? [] : waiting.slice(0, AT_ONCE))
    builder.wait({
      subject: branch,
      ...AWAITED[awaits],
      until: state.at + (now < state.at + MARKED_WITHIN_MS ? MARKED_WITHIN_MS : LEFT_AFTER_MS),
    });
  const isDone = outcome === "merged" ? !closing || isNotWaitedFor(state, CLOSING) : listOpenJobs(state).length === 0;
  const ready = isDone && listOpenPulls(state).every((pull) => isNotWaitedFor(state, `close:${pull}`));
  // What may have been sent out is looked for, and stopped, before nobody looks any more.
  const isSure = listDoubtfulJobs(state.pending).every(({ job }) => isNotWaitedFor(state, `cancel:${job}`));
  if (state.ended === null && ready && isSure)
    builder.add("end", "cosmetic", `The run is over: ${outcome}`, { kind: "EndRun", outcome });
}

function deriveOutcome(state: RunState): RunOutcome | null {
  if (state.ended !== null) return state.ended;
  if (state.merged !== null) return "merged";
  if (state.cancelled !== null) return "cancelled";
  if (state.answerText !== null) return "answered";
  return null;
}
