/** Messages of the commits the App makes, with the trailers that say what each commit is. */
import type { RunKey } from "./ids.ts";

export interface CommitNote {
  /** First line, at most 72 characters are kept. */
  readonly subject: string;
  readonly body?: string;
  readonly run: RunKey;
  readonly planRev?: number;
  readonly attempt?: string;
  /** `Reviewed-by`, `Floor-run`, … in order. */
  readonly trailers?: ReadonlyArray<readonly [key: string, value: string]>;
  /** Whether the repository's own CI runs for this commit (only the accept commit, by default). */
  readonly ci: "skip" | "run";
}

/**
 * `skip-checks: true` works only as the last trailer after two blank lines
 * (docs.github.com/en/actions/managing-workflow-runs/skipping-workflow-runs).
 */
export function formatCommitMessage(note: CommitNote): string {
  const subject = note.subject.replaceAll(/\s+/gu, " ").trim().slice(0, 72);
  const trailers: string[] = [`Taskfleet-Run: ${note.run}`];
  if (note.planRev !== undefined) trailers.push(`Taskfleet-Plan-Rev: ${note.planRev}`);
  if (note.attempt !== undefined) trailers.push(`Taskfleet-Attempt: ${note.attempt}`);
  for (const [key, value] of note.trailers ?? []) trailers.push(`${key}: ${value.replaceAll(/\s+/gu, " ")}`);
  const parts = [subject];
  if (note.body !== undefined && note.body.trim() !== "") parts.push(note.body.trim());
  parts.push(trailers.join("\n"));
  const text = parts.join("\n\n");
  return note.ci === "skip" ? `${text}\n\n\nskip-checks: true\n` : `${text}\n`;
}

/** The value of a trailer in a commit message, or null. */
export function parseTrailer(message: string, key: string): string | null {
  for (const line of message.split(/\r?\n/u)) {
    if (line.toLowerCase().startsWith(`${key.toLowerCase()}: `)) return line.slice(key.length + 2).trim();
  }
  return null;
}
