import { type ShellPart, splitShell } from "./split-shell.ts";

/**
 * True when a `sh` command line exits with 0 whatever the repository holds: `true`, `echo done`,
 * `npm test || true`, `npm test; exit 0`, `npm test | tee log`. In doubt false.
 */
export function alwaysSucceeds(command: string): boolean {
  const parts = splitShell(command);
  if (parts === null) return false;
  // Control structures need a real shell grammar, and so does what changes the meaning of a pipe.
  if (parts.some(({ text }) => /^(?:if|for|while|until|case|function|trap)\b|^!|\bpipefail\b/.test(text))) return false;
  return judgeSequence(parts);
}

function judgeSequence(parts: readonly ShellPart[]): boolean {
  /** Whether the status so far is certainly 0. */
  let isZero = true;
  /** `set -e` was seen: a failure ends the whole. */
  let stopsOnFailure = false;
  /** The whole may have ended before this part, with another status than 0. */
  let mayHaveFailed = false;
  for (const [index, { joint, text, background }] of parts.entries()) {
    if (/^set -[a-z]*e/.test(text)) stopsOnFailure = true;
    if (joint === ";" && stopsOnFailure && !isZero) mayHaveFailed = true;
    // Only the last command of a pipe gives its status, and nobody waits for the background.
    const succeeds = background || parts[index + 1]?.joint === "|" || judgeCommand(text);
    if (/^exit\b/.test(text)) {
      if (joint === ";") return succeeds && !mayHaveFailed;
      if (!succeeds) mayHaveFailed = true;
    }
    if (joint === "&&") isZero = isZero && succeeds;
    else if (joint === "||") isZero = isZero || succeeds;
    else isZero = succeeds;
  }
  return isZero && !mayHaveFailed;
}

function judgeCommand(text: string): boolean {
  // Writing to a file can fail, but not because the work is missing.
  const plain = text.replaceAll(/\d*>+&?\s*\S+/g, "").trim();
  const group = /^(?:\(([^()]*)\)|\{\s([^{}]*)\})$/.exec(plain);
  if (group !== null) return alwaysSucceeds(group[1] ?? group[2] ?? "");
  if (/^(?:true|:|echo|printf|sleep|wait|set|export|pwd)(?:\s|$)/.test(plain)) return true;
  return /^exit 0$/.test(plain) || isFilter(plain);
}

/** Reads only what is piped into it; where it writes a copy does not matter. */
function isFilter(plain: string): boolean {
  const [program, ...rest] = plain.split(/\s+/);
  if (program === "tee") return true;
  if (!["cat", "head", "tail", "sort", "uniq", "wc"].includes(program ?? "")) return false;
  return rest.every((word) => word.startsWith("-") || /^\d+$/.test(word));
}
