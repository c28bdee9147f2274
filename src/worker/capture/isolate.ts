/**
 * Who commands run as. A job's commands are code of the change under test: where the machine allows it
 * they run as a user that owns nothing but the checkout, and may not gain privileges.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { listProgramFolders, removePrograms } from "../process/close-paths.ts";
import { findNoNewPrivileges } from "../process/no-new-privileges.ts";

export interface Isolation {
  readonly home: string;
  /** null = the user of this process. */
  readonly uid: number | null;
  /** Words before `sh -c …`. */
  readonly prefix: readonly string[];
  /** What was done, for people. */
  readonly description: string;
  /**
   * Ends what a command left running, also what left its process group: nothing of it may see the next command,
   * or change a report or the checkout while they are looked at. Does nothing where the user is our own.
   * @throws Error when something stays alive: the machine's failure, not the change's.
   */
  readonly endLeftovers: () => Promise<void>;
  /** Ends what still runs as that user, gives the checkout back and removes HOME. */
  readonly end: () => Promise<void>;
}

/** Whether commands may also run as the user of this process. */
export type IsolationNeed = "required" | "if-possible";

export class IsolationImpossible extends Error {
  override readonly name = "IsolationImpossible";
}

/** User ids far above those of accounts; one for each process that captures. */
const firstUid = 700_000_000;

/**
 * @param env supplies PATH, to see whether its folders can be reached.
 * @throws IsolationImpossible when it is required; the message is the obstacle.
 */
export async function isolate(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  need: IsolationNeed,
): Promise<Isolation> {
  // Later steps of the job (and git) expect the checkout as it was.
  const former = await stat(root);
  const home = await mkdtemp(path.join(os.tmpdir(), "taskfleet-home-"));
  await mkdir(path.join(home, "tmp"));
  const prefix = findNoNewPrivileges();
  const uid = process.platform === "linux" && process.getuid?.() === 0 ? firstUid + process.pid : null;
  const obstacle = uid === null ? null : await handOver(root, home, uid, env);
  if (need === "required" && (uid === null || obstacle !== null)) {
    if (uid !== null) await chownTree(root, former, gitFolder(root)).catch(() => undefined);
    await removeHome(home);
    throw new IsolationImpossible(obstacle ?? "only root can start them so");
  }
  if (uid === null || obstacle !== null)
    return {
      home,
      uid: null,
      prefix,
      description: `commands ran as ${nameUser()}${prefix.length > 0 ? " without new privileges" : ""}${obstacle === null ? "" : ` (${obstacle})`}`,
      endLeftovers: () => Promise.resolve(),
      end: () => removeHome(home),
    };
  return {
    home,
    uid,
    prefix,
    description: "commands ran as an unprivileged user",
    endLeftovers: () => killUser(uid),
    end: async () => {
      try {
        await killUser(uid);
      } finally {
        await removePrograms(listProgramFolders(env["PATH"]), uid);
        await chownTree(root, former, gitFolder(root)).catch(() => undefined);
        await removeHome(home);
      }
    },
  };
}

function nameUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    // The user of a container need not have a name.
    return `user ${process.getuid?.() ?? ""}`;
  }
}

/** Gives checkout and HOME to the user; the reason when he could not work there. */
async function handOver(
  root: string,
  home: string,
  uid: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const unreachable = (env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => folder !== "" && existsSync(folder))
    .find((folder) => !passesTest('-x "$1" -a -r "$1"', folder, uid));
  if (unreachable !== undefined) return `${unreachable} is closed to other users`;
  if (!passesTest('-x "$1"', path.dirname(root), uid)) return "the checkout is closed to other users";
  try {
    await chownTree(root, { uid, gid: uid }, gitFolder(root));
    await chownTree(home, { uid, gid: uid }, new Set());
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "the checkout could not be handed over";
  }
  return null;
}

/** What the shell's `test` says to that user; the checkout itself becomes his, so only its parent matters. */
function passesTest(condition: string, folder: string, uid: number): boolean {
  const probe = spawnSync("/bin/sh", ["-c", `test ${condition}`, "sh", folder], { uid, gid: uid, stdio: "ignore" });
  return probe.status === 0;
}

/** git's own folder stays ours: hooks and configuration in it could act for us later. */
function gitFolder(root: string): ReadonlySet<string> {
  return new Set([path.join(root, ".git")]);
}

async function chownTree(
  folder: string,
  owner: { readonly uid: number; readonly gid: number },
  without: ReadonlySet<string>,
): Promise<void> {
  await chown(folder, owner.uid, owner.gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (without.has(full) || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) await chownTree(full, owner, without);
    else await chown(full, owner.uid, owner.gid);
  }
}

/** A killed process that holds much memory, or waits for a disk, takes its time to die. */
const dyingMs = 30_000;
const shortestPauseMs = 5;
const longestPauseMs = 200;

/**
 * Daemons that left their process group still belong to the user. A signal that was sent has not yet ended
 * anything: it is waited for.
 * @throws Error when something of the user's stays alive.
 */
async function killUser(uid: number): Promise<void> {
  const deadline = performance.now() + dyingMs;
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    // Again and again: what was about to start when the signal came is met by the next one.
    spawnSync("/bin/sh", ["-c", "kill -KILL -1"], { uid, gid: uid, stdio: "ignore" });
    if (!isAlive(uid)) return;
    if (performance.now() > deadline)
      throw new Error(`a process that a command left running did not end within ${dyingMs / 1000} s`);
    await delay(pause);
  }
}

/** Whether a process of the user still runs; a zombie only waits for its parent. */
function isAlive(uid: number): boolean {
  const names = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return names.some((name) => {
    try {
      // The owner of the folder would tell less: a process can hide behind root's name there.
      const status = readFileSync(`/proc/${name}/status`, "latin1");
      return new RegExp(`^Uid:\\t${uid}\\t`, "mu").test(status) && !/^State:\t[ZX]/mu.test(status);
    } catch {
      return false;
    }
  });
}

async function removeHome(home: string): Promise<void> {
  // Go's module cache is read-only; as the owner rm can still fail inside of it.
  await rm(home, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
}
