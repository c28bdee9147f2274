import { type ShellPart, splitShell } from "./split-shell.ts";

/** What is known about an exit status before anything runs. */
type Status = "zero" | "nonzero" | "open";

/**
 * True when a `sh` command line exits with 0 whatever the repository holds: `true`, `echo done`,
 * `npm test || true`, `npm test; exit 0`, `npm test | tee log`. In doubt false.
 */
export function alwaysSucceeds(command: string): boolean {
  const parts = splitShell(command);
  if (parts === null || parts.length === 0) return parts?.length === 0;
  // Control structures need a real shell grammar.
  if (parts.some((part) => /^(?:if|for|while|until|case|function|!|trap)\b|^!|\bpipefail\b/.test(part.text)))
    return false;
  return judgeSequence(parts) === "zero";
}

function judgeSequence(parts: readonly ShellPart[]): Status {
  let status: Status = "zero";
  let stopsOnFailure = false;
  let mayHaveStopped = false;
  for (const [index, part] of parts.entries()) {
    if (/^set\s+-[a-z]*e/.test(part.text)) stopsOnFailure = true;
    const isPiped = parts[index + 1]?.joint === "|";
    // Only the last command of a pipe gives its status.
    const own: Status = isPiped || part.background ? "zero" : judgeCommand(part.text);
    if (part.joint === ";" && stopsOnFailure && status !== "zero") mayHaveStopped = true;
    const runs = part.joint === "&&" ? status : part.joint === "||" ? negate(status) : "zero";
    status = part.joint === "|" ? own : combine(part.joint, status, own);
    if (/^exit\b/.test(part.text) && runs === "zero") return mayHaveStopped ? "open" : own;
    if (/^exit\b/.test(part.text) && own !== "zero") mayHaveStopped = true;
  }
  return mayHaveStopped && status === "zero" ? "open" : status;
}

function combine(joint: ShellPart["joint"], before: Status, own: Status): Status {
  if (joint === "&&") return before === "zero" ? own : before === "nonzero" || own === "nonzero" ? "nonzero" : "open";
  if (joint === "||") return before === "nonzero" ? own : before === "zero" || own === "zero" ? "zero" : "open";
  return own;
}

function negate(status: Status): Status {
  return status === "zero" ? "nonzero" : status === "nonzero" ? "zero" : "open";
}

function judgeCommand(text: string): Status {
  // Output to a file can fail, but not because the work is missing; `/dev/null` never does.
  const plain = text.replaceAll(/\d*>{1,2}&?\s*\S+/g, "").trim();
  const group = /^(?:\((?<inner>[^()]*)\)|\{\s(?<body>[^{}]*?);?\s*\})$/.exec(plain);
  const inner = group?.groups?.["inner"] ?? group?.groups?.["body"];
  if (inner !== undefined) return alwaysSucceeds(inner) ? "zero" : "open";
  if (/\$\(|`/.test(plain)) return /^(?:echo|printf)\b/.test(plain) ? "zero" : "open";
  if (/^(?:true|:|echo|printf|sleep|wait|set|export|pwd)(?:\s|$)/.test(plain)) return "zero";
  if (/^(?:tee|cat|head|tail|sort|uniq|wc)(?:\s+-\S+)*(?:\s+\S+)?$/.test(plain))
    return isFilter(plain) ? "zero" : "open";
  if (plain === "exit" || /^exit\s+0$/.test(plain)) return plain === "exit" ? "open" : "zero";
  return plain === "false" || /^exit\s+[1-9]\d*$/.test(plain) ? "nonzero" : "open";
}

/** Reads only what is piped into it. */
function isFilter(plain: string): boolean {
  return /^tee\b/.test(plain) || !/\s[^-\s]/.test(plain.replace(/\s-[nc]\s*\d+/, ""));
}
