import { Buffer } from "node:buffer";
import type { ChangeEntry } from "../contracts/change-set.ts";
import { buildProblem, type ChangeSetProblem } from "./change-set-problem.ts";
import { findSecrets } from "./find-secrets.ts";

type WrittenEntry = Extract<ChangeEntry, { kind: "write" }>;

export interface ContentLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
}

/** Node decodes leniently (it skips what it does not know), so the form is checked first. */
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/u;

/** The bytes an entry writes, or null when its content is not what its encoding says. */
export function decodeContent(entry: WrittenEntry): Buffer | null {
  if (entry.encoding === "utf-8") return entry.content.isWellFormed() ? Buffer.from(entry.content, "utf8") : null;
  if (entry.content.length % 4 !== 0 || !base64Pattern.test(entry.content)) return null;
  return Buffer.from(entry.content, "base64");
}

/** Judges what a file holds: size, encoding, Git LFS pointers, keys. */
export function checkContent(entry: WrittenEntry, limits: ContentLimits): readonly ChangeSetProblem[] {
  const bytes = decodeContent(entry);
  const { path } = entry;
  if (bytes === null)
    return [buildProblem("bad-encoding", path, `The content of ${path} is not valid ${entry.encoding}.`)];
  const problems: ChangeSetProblem[] = [];
  if (bytes.length > limits.fileBytes)
    problems.push(
      buildProblem("too-large", path, `${path} has ${bytes.length} bytes; at most ${limits.fileBytes} are allowed.`),
    );
  // git-lfs.com/spec: a pointer begins with this line and has fewer than 1024 bytes.
  if (bytes.length < 1024 && bytes.toString("latin1").startsWith("version https://git-lfs.github.com/spec/"))
    problems.push(buildProblem("lfs-pointer", path, `${path} is a Git LFS pointer; its content cannot be verified.`));
  const [secret] = bytes.length > limits.fileBytes ? [] : findSecrets(bytes.toString("utf8"));
  if (secret !== undefined)
    problems.push(
      buildProblem("secret", path, `${path} holds what looks like a secret (${secret.kind}) at line ${secret.line}.`),
    );
  return problems;
}
