/** What a delivery tells of the end of a workflow run, as the note of a hint. */

export interface RunEnd {
  readonly runId: number;
  /** `success`, `failure`, `cancelled`, `timed_out`, …; GitHub may add words. */
  readonly conclusion: string;
}

/** Without a blank or an `@`: it stands at the end of a hint. */
export function formatRunEnd({ runId, conclusion }: RunEnd): string {
  return `${runId}:${conclusion}`;
}

/** Null for a note that says nothing of a run's end. */
export function parseRunEnd(note: string): RunEnd | null {
  const [, id, conclusion] = /^([1-9][0-9]{0,15}):([a-z_]+)$/u.exec(note) ?? [];
  return id === undefined || conclusion === undefined ? null : { runId: Number(id), conclusion };
}
