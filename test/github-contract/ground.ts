/** Where the rows of the contract are tried. */
import type { Octokit } from "@octokit/rest";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/sandbox-options.ts";
import type { HookReceiver } from "../sandbox/hook-receiver.ts";
import type { SandboxWorld } from "../sandbox/sandbox-world.ts";
import type { Behaviour, Expected } from "./behaviour.ts";

interface Branch {
  readonly name: string;
  readonly sha: string;
}

export interface OpenedPull extends Branch {
  readonly number: number;
  readonly nodeId: string;
}

/** A repository on some GitHub, and who we are there. */
export interface Ground {
  /** What speaks in our name: the App's installation, or whoever the given token belongs to. */
  readonly octokit: Octokit;
  readonly repo: { readonly owner: string; readonly repo: string };
  readonly main: Branch;
  /** The file name of a workflow that is made for this contract, see CONTRACT_WORKFLOW. */
  readonly workflow: string;
  /** A branch name nobody has used. */
  readonly name: () => string;
  /** A commit with these files changed on top of another one; null deletes. */
  readonly commit: (parent: string, files: Files) => Promise<string>;
  /** A new branch with one such commit, from the default branch unless told otherwise. */
  readonly branch: (files?: Files, from?: string) => Promise<Branch>;
  /** A pull request of a new branch. */
  readonly pull: (options?: PullOptions) => Promise<OpenedPull>;
  readonly issue: (title?: string) => Promise<number>;
  /** Reads until what GitHub does by itself has happened. @throws when it does not within a minute. */
  readonly eventually: <Value>(read: () => Promise<Value>, good: (value: Value) => boolean) => Promise<Value>;
}

type Files = Readonly<Record<string, string | null>>;

interface PullOptions {
  readonly base?: Branch;
  readonly files?: Files;
  readonly draft?: "draft";
  readonly title?: string;
}

/** The local GitHub: there are more people, and its clock and settings are ours. */
export interface SandboxGround extends Ground {
  readonly world: SandboxWorld;
  readonly sandbox: Sandbox;
  readonly as: (who: keyof SandboxWorld["tokens"] | "nobody") => Octokit;
  /** Another local GitHub with a repository of the same shape; it goes with this one. */
  readonly elsewhere: (
    options: Partial<SandboxOptions>,
    files?: Readonly<Record<string, string>>,
  ) => Promise<SandboxGround>;
  /** Where this GitHub sends its webhooks from now on, answering with what `answer` says. */
  readonly receive: (answer?: () => number | null) => Promise<HookReceiver>;
}

/**
 * - everywhere: any repository and any token that may write;
 * - app: only an App may do it;
 * - workflow: the repository must have the contract's workflow;
 * - sandbox: needs what no token gives us on GitHub, `because` says what.
 */
export type Row =
  | ({ readonly on: "everywhere" | "app" | "workflow" } & Behaviour<Ground>)
  | ({ readonly on: "sandbox"; readonly because: string } & Behaviour<SandboxGround>);

export interface Area {
  readonly title: string;
  readonly rows: readonly Row[];
}

type Sources = Behaviour<never>["sources"];

interface Told<Place> {
  readonly expected: Expected;
  readonly sources: Sources;
  readonly ask: (place: Place) => Promise<unknown>;
}

export function everywhere(does: string, told: Told<Ground>): Row {
  return { on: "everywhere", does, ...told };
}

export function asApp(does: string, told: Told<Ground>): Row {
  return { on: "app", does, ...told };
}

export function withWorkflow(does: string, told: Told<Ground>): Row {
  return { on: "workflow", does, ...told };
}

export function inSandbox(because: string, does: string, told: Told<SandboxGround>): Row {
  return { on: "sandbox", because, does, ...told };
}

/** What a repository needs for the rows about dispatching, on its default branch. */
export const CONTRACT_WORKFLOW = {
  path: ".github/workflows/taskfleet-contract.yml",
  text: `name: Taskfleet contract
run-name: contract \${{ inputs.request }}
on:
  workflow_dispatch:
    inputs:
      role: { required: true, type: choice, options: [plan, floor] }
      request: { required: true, type: string }
      note: { required: false, type: string, default: none }
permissions: { contents: read }
jobs:
  work:
    runs-on: ubuntu-latest
    steps:
      - run: echo done
`,
} as const;

/** A repository whose workflow starts on every push. */
export const ON_PUSH: Readonly<Record<string, string>> = {
  ".github/workflows/push.yml":
    "on: push\njobs:\n  work:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo done\n",
};
