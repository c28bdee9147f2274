import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Sha } from "../../src/contracts/ids.ts";
import type { CommitStatus, GitHubPort, RepositoryPort } from "../../src/github/port.ts";

/** Where the contract is tried: a repository with one issue, and somebody who may write and somebody who may not. */
export interface Place {
  readonly port: GitHubPort;
  readonly repository: RepositoryPort;
  readonly issue: number;
  readonly main: Sha;
  readonly writer: string;
  /** A second App that judges. */
  readonly reviewer: RepositoryPort;
  /** The writer sets or takes off a label of the issue. */
  readonly label: (label: string, change: "set" | "taken off") => Promise<void>;
  /** The writer reports on a commit, as a CI service does. */
  readonly report: (sha: Sha, context: string, state: CommitStatus["state"]) => Promise<void>;
  /** From now on a ruleset lets this branch change through pull requests only. */
  readonly protect: (branch: string) => void;
  /** A file on the default branch of another repository of the same owner. */
  readonly shared: SharedFilePlace;
  /** Whether webhooks are taken from now on. */
  readonly listen: (answer: "takes" | "fails") => Promise<void>;
  /** GUIDs of the webhooks that have come, taken or not. */
  readonly heard: () => readonly string[];
  /** Lets so much time pass at least. */
  readonly wait: (ms: number) => Promise<void>;
  /** Waits until everything that happens by itself has happened. */
  readonly idle: () => Promise<void>;
  /** GitHub's clock, in milliseconds. */
  readonly now: () => number;
  readonly close: () => Promise<void>;
}

interface SharedFilePlace {
  readonly repository: string;
  readonly path: string;
  readonly text: string;
}

export const SHARED: SharedFilePlace = { repository: "standards", path: "settings.yml", text: "limits: {}\n" };

/** The files of the place's repository. */
export const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA line.\n",
  "src/cart.js": "export const add = (a, b) => a + b;\n",
  ".github/workflows/taskfleet.yml": `name: taskfleet
run-name: taskfleet \${{ inputs.role }} \${{ inputs.job }}
on:
  workflow_dispatch:
    inputs:
      role: { type: string, required: true }
      request: { type: string, required: true }
      job: { type: string, required: true }
jobs:
  work:
    runs-on: ubuntu-latest
    steps:
      - run: echo done
`,
};

/** The kind of failure an effect ends with, or what it gave. */
export async function outcomeOf(effect: Promise<unknown>): Promise<string> {
  try {
    await effect;
    return "done";
  } catch (error) {
    if (error instanceof GitHubFailure) return error.kind;
    throw error;
  }
}

/** A commit on a branch of its own, with one file written. */
export async function commitOn(
  place: Place,
  branch: string,
  files: Readonly<Record<string, string>>,
  parent = place.main,
): Promise<Sha> {
  const { repository } = place;
  const { tree } = await repository.loadCommit(parent);
  const changed = await repository.createTree(
    tree,
    Object.entries(files).map(([path, content]) => ({ path, mode: "100644" as const, content })),
  );
  const commit = await repository.createCommit({ tree: changed, parents: [parent], message: `Change ${branch}` });
  if ((await repository.loadBranch(branch)) === null) await repository.createBranch(branch, commit);
  else await repository.updateBranch(branch, commit);
  return commit;
}
