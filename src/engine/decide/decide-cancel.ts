import { listOpenJobs } from "../derive/jobs.ts";
import { listOpenChunkPulls, listOpenPulls } from "../derive/open-pulls.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** Nothing runs on after the end: open jobs are stopped, and pull requests of what did not land are closed. */
export function decideCancel(builder: ActionBuilder, state: RunState): void {
  for (const job of listOpenJobs(state))
    builder.add(`cancel:${job.job}`, "dispatch", `Stopping ${job.job}: the run is over`, {
      kind: "CancelJob",
      job: job.job,
      runId: job.runId,
    });
  if (state.merged !== null) {
    closeLeftOut(builder, state);
    return;
  }
  const why = state.cancelled?.why ?? "the run is over";
  for (const number of listOpenPulls(state)) closePull(builder, number, why);
}

/**
 * A person may merge the feature before all of it has landed. Once its branch is gone, GitHub aims what is open
 * against it at the source branch, where anybody could merge what nobody has verified
 * (github.blog/changelog/2020-05-19-pull-request-retargeting).
 */
function closeLeftOut(builder: ActionBuilder, state: RunState): void {
  const feature = state.featurePull?.number ?? null;
  for (const { chunk, number } of listOpenChunkPulls(state))
    closePull(builder, number, `the feature was merged without ${chunk}`);
  // Said once it is so: what was merged, too, is found to be when it is about to be closed.
  for (const { id: chunk, landed, pulls } of state.chunks.rows)
    for (const { number } of landed === null ? pulls : []) {
      const marker = `closed:${number}`;
      if (!state.closedPulls.includes(number) || state.comments[marker] !== undefined) continue;
      builder.add(`comment:${marker}`, "dispatch", `Saying why pull request ${number} was closed`, {
        kind: "PostComment",
        on: number,
        marker,
        subject: { kind: "closed", chunk, rev: null, feature },
      });
    }
}

function closePull(builder: ActionBuilder, number: number, why: string): void {
  builder.add(`close:${number}`, "dispatch", `Closing pull request ${number}: ${why}`, {
    kind: "ClosePull",
    number,
    why,
  });
}
