import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { GitCall, GitResult } from "./spawn-git.ts";

/** What is asked of the host, and what it answers. */
export interface HostRequest {
  readonly id: number;
  readonly call: GitCall;
}
export type HostAnswer =
  | { readonly id: number; readonly result: GitResult }
  | { readonly id: number; readonly problem: string };

interface Pending {
  readonly resolve: (result: GitResult) => void;
  readonly reject: (reason: Error) => void;
}

interface Host {
  readonly child: ChildProcess;
  readonly pending: Map<number, Pending>;
}

let host: Host | null = null;
let holders = 0;
let lastId = 0;

/**
 * Has a small process start git. A process is started by copying the page tables of the one that starts it:
 * 5 ms from one of 50 MB, more than 100 ms from one of 700 MB, which a sandbox with many runs becomes.
 */
export function callGitHost(call: GitCall): Promise<GitResult> {
  const { child, pending } = (host ??= startHost());
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    // Only while it is waited for it keeps this process alive.
    child.ref();
    child.channel?.ref();
    child.send({ id, call } satisfies HostRequest, (error) => {
      if (error !== null) settle(child, pending, id, (waiting) => waiting.reject(error));
    });
  });
}

/** Somebody uses git from now on, until {@link releaseGitHost}. */
export function holdGitHost(): void {
  holders += 1;
}

/** The last one ends the process, and knows that it is gone; somebody who has begun meanwhile keeps it. */
export async function releaseGitHost(): Promise<void> {
  holders -= 1;
  if (holders > 0 || host === null || host.pending.size > 0) return;
  const { child } = host;
  host = null;
  child.ref();
  const gone = once(child, "exit");
  if (child.connected) child.disconnect();
  await gone;
}

function startHost(): Host {
  // In a package the program is compiled, in a checkout it runs as it stands.
  const program = import.meta.url.endsWith(".ts") ? "./git-host-process.ts" : "./git-host-process.js";
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  });
  const pending: Host["pending"] = new Map();
  child.on("message", (message) => {
    const answer = message as HostAnswer;
    settle(child, pending, answer.id, (waiting) => {
      if ("result" in answer) waiting.resolve(answer.result);
      else waiting.reject(new Error(answer.problem));
    });
  });
  const lose = (): void => {
    if (host?.child === child) host = null;
    for (const id of pending.keys())
      settle(child, pending, id, (waiting) => waiting.reject(new Error("the process that starts git has ended")));
  };
  child.on("error", lose);
  child.on("exit", lose);
  child.unref();
  child.channel?.unref();
  return { child, pending };
}

function settle(child: ChildProcess, pending: Host["pending"], id: number, end: (waiting: Pending) => void): void {
  const waiting = pending.get(id);
  if (waiting === undefined) return;
  pending.delete(id);
  if (pending.size === 0) {
    child.unref();
    child.channel?.unref();
  }
  end(waiting);
}
