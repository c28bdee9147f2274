import { listOpenJobs } from "../derive/jobs.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** Nothing runs on after the end: open jobs are stopped; of a run that was given up, pull requests are closed. */
export function decideCancel(builder: ActionBuilder, state: RunState): void {
  for (const job of listOpenJobs(state))
    builder.add(`cancel:${job.job}`, "dispatch", `Stopping ${job.job}: the run is over`, {
      kind: "CancelJob",
      job: job.job,
      runId: job.runId,
    });
  if (state.merged !== null) return;
  const why = state.cancelled?.why ?? "the run is over";
  for (const number of listOpenPulls(state))
    builder.add(`close:${number}`, "dispatch", `Closing pull request ${number}: ${why}`, {
      kind: "ClosePull",
      number,
      why,
    });
}

export function listOpenPulls(state: RunState): readonly number[] {
  const numbers: number[] = [];
  for (const chunk of state.chunks.rows) {
    // GitHub is about to mark it merged: closed before that, it would show as closed.
    if (chunk.landed !== null) continue;
    for (const pull of chunk.pulls)
      if (pull.settled === null && !state.closedPulls.includes(pull.number)) numbers.push(pull.number);
  }
  const feature = state.featurePull;
  if (feature !== null && feature.settled === null && !state.closedPulls.includes(feature.number))
    numbers.push(feature.number);
  return numbers;
}
