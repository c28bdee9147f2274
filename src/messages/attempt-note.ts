import type { CommitNote } from "../contracts/commit-message.ts";
import type { ChunkId } from "../contracts/ids.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { RunState } from "../engine/state.ts";
import { formatRun } from "./words/job-words.ts";
import { formatCommitText } from "./blocks/commit-text.ts";
import { findRow } from "../engine/table.ts";

/** The commit of one attempt on its chunk branch: what was tried, not that it is right. */
export function buildAttemptNote(state: RunState, chunk: ChunkId, attempt: number): CommitNote {
  const title = deriveActiveRevision(state)?.plan.chunks.find((entry) => entry.id === chunk)?.title ?? chunk;
  const entry = findRow(state.chunks, chunk)?.attempts.find((candidate) => candidate.n === attempt);
  const summary = entry === undefined ? "" : formatCommitText(entry.summary.slice(0, 2000));
  const trailers: Array<readonly [string, string]> = [];
  if (entry !== undefined) {
    trailers.push(["Taskfleet-Agent", formatCommitText(entry.agent)]);
    if (entry.model !== "") trailers.push(["Taskfleet-Model", formatCommitText(entry.model)]);
    const run = formatRun(state, entry);
    if (run !== null && run !== "") trailers.push(["Implement-run", run]);
  }
  return {
    subject: formatCommitText(`wip(${chunk}): ${title}`),
    body: summary === "" ? "Not verified yet." : `Not verified yet. The agent says: ${summary}`,
    run: state.run.run,
    ...(entry === undefined ? {} : { planRev: entry.planRev }),
    attempt: `${chunk}/${attempt}`,
    trailers,
    ci: state.run.config.ci.per_chunk ? "run" : "skip",
  };
}
