import type { GitRepository } from "./git-repository.ts";
import { writeObject } from "./write-object.ts";

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since the epoch (git keeps whole seconds). */
  readonly at: number;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

function parseSignature(text: string): Signature {
  const found = /^(.*?) ?<([^>]*)> (\d+) [+-]\d{4}$/.exec(text);
  return { name: found?.[1] ?? "", email: found?.[2] ?? "", at: Number(found?.[3] ?? 0) * 1000 };
}

/** Reads a commit's headers and message; continuation lines (signatures) are skipped. */
export function parseCommit(sha: string, content: Buffer): Commit {
  const text = content.toString();
  const split = text.indexOf("\n\n");
  const head = split < 0 ? text : text.slice(0, split);
  const headers = head.split("\n").filter((line) => !line.startsWith(" "));
  const values = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return {
    sha,
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    author: parseSignature(values("author")[0] ?? ""),
    committer: parseSignature(values("committer")[0] ?? ""),
    message: split < 0 ? "" : text.slice(split + 2),
  };
}

/** The commit an expression names (tags are followed), or null. */
export async function readCommit(git: GitRepository, expression: string): Promise<Commit | null> {
  const object = await git.objects.read(`${expression}^{commit}`);
  return object?.type === "commit" ? parseCommit(object.sha, object.content) : null;
}

function formatSignature(signature: Signature): string {
  const clean = (text: string) => text.replace(/[<>\n\0]/g, "").trim();
  return `${clean(signature.name)} <${clean(signature.email)}> ${Math.floor(signature.at / 1000)} +0000`;
}

/** Writes a commit with exactly this message and returns its SHA. */
export async function writeCommit(git: GitRepository, commit: Omit<Commit, "sha">): Promise<string> {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(commit.author)}`,
    `committer ${formatSignature(commit.committer)}`,
  ];
  const body = `${lines.join("\n")}\n\n${commit.message}`;
  return writeObject(git, "commit", Buffer.from(body));
}
