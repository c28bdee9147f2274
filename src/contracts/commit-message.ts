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

/** Keeps the workflows of a push from starting. */
const SKIP_CHECKS = "skip-checks: true";

/**
 * {@link SKIP_CHECKS} works only as the last trailer after two blank lines
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
  return note.ci === "skip" ? `${text}\n\n\n${SKIP_CHECKS}\n` : `${text}\n`;
}

/**
 * The value of a trailer in a commit message, or null. Trailers are the lines of the last block, as git has it, and
 * of the one before where that holds nothing but {@link SKIP_CHECKS}. Subject and body repeat what others wrote.
 */
export function parseTrailer(message: string, key: string): string | null {
  const [, ...blocks] = message.trimEnd().split(/(?:\r?\n[ \t]*){2,}/u);
  const trailers = blocks.slice(blocks.at(-1)?.trim() === SKIP_CHECKS ? -2 : -1);
  for (const line of trailers.join("\n").split(/\r?\n/u)) {
    if (line.toLowerCase().startsWith(`${key.toLowerCase()}: `)) return line.slice(key.length + 2).trim();
  }
  return null;
}
