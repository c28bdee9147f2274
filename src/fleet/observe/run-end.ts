/** What a delivery tells of the end of a workflow run, as the note of a hint. */
import { isSha, type Sha } from "../../contracts/ids.ts";

export interface RunEnd {
  readonly runId: number;
  /** `success`, `failure`, `cancelled`, `timed_out`, …; GitHub may add words. */
  readonly conclusion: string;
  /** The commit it began at, whose workflow file it ran. */
  readonly headSha: Sha;
}

/** Without a blank or an `@`: it stands at the end of a hint. */
export function formatRunEnd({ runId, conclusion, headSha }: RunEnd): string {
  return `${runId}:${conclusion}:${headSha}`;
}

/** Null for a note that says nothing of a run's end. */
export function parseRunEnd(note: string): RunEnd | null {
  const [, id, conclusion, headSha] = /^([1-9][0-9]{0,15}):([a-z_]+):([0-9a-f]+)$/u.exec(note) ?? [];
  if (id === undefined || conclusion === undefined || headSha === undefined || !isSha(headSha)) return null;
  return { runId: Number(id), conclusion, headSha };
}
