/**
 * Who commands run as. A job's commands are code of the change under test: where the machine allows it
 * they run as a user that owns nothing but the checkout, and may not gain privileges.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { findNoNewPrivileges } from "../process/no-new-privileges.ts";

export interface Isolation {
  readonly home: string;
  /** null = the user of this process. */
  readonly uid: number | null;
  /** Words before `sh -c …`. */
  readonly prefix: readonly string[];
  /** What was done, for people. */
  readonly description: string;
  /** Ends what still runs as that user, and removes HOME. */
  readonly end: () => Promise<void>;
}

/** User ids far above those of accounts; one for each process that captures. */
const firstUid = 700_000_000;

/** @param env supplies PATH, to see whether its folders can be reached. */
export async function isolate(root: string, env: Readonly<Record<string, string | undefined>>): Promise<Isolation> {
  const home = await mkdtemp(path.join(os.tmpdir(), "taskfleet-home-"));
  await mkdir(path.join(home, "tmp"));
  const prefix = findNoNewPrivileges();
  const uid = process.platform === "linux" && process.getuid?.() === 0 ? firstUid + process.pid : null;
  const obstacle = uid === null ? null : await handOver(root, home, uid, env);
  if (uid === null || obstacle !== null)
    return {
      home,
      uid: null,
      prefix,
      description: `commands ran as ${os.userInfo().username}${prefix.length > 0 ? " without new privileges" : ""}${obstacle === null ? "" : ` (${obstacle})`}`,
      end: () => removeHome(home),
    };
  return {
    home,
    uid,
    prefix,
    description: "commands ran as an unprivileged user",
    end: async () => {
      killUser(uid);
      // Later steps of the job (and git) expect the checkout to be theirs.
      await chownTree(root, process.getuid?.() ?? 0, new Set([path.join(root, ".git")])).catch(() => undefined);
      await removeHome(home);
    },
  };
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
    await chownTree(root, uid, new Set([path.join(root, ".git")]));
    await chownTree(home, uid, new Set());
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
async function chownTree(folder: string, uid: number, without: ReadonlySet<string>): Promise<void> {
  await chown(folder, uid, uid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (without.has(full) || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) await chownTree(full, uid, without);
    else await chown(full, uid, uid);
  }
}

/** Daemons that left their process group still belong to the user. */
function killUser(uid: number): void {
  spawnSync("/bin/sh", ["-c", "kill -KILL -1"], { uid, gid: uid, stdio: "ignore" });
}

async function removeHome(home: string): Promise<void> {
  // Go's module cache is read-only; as the owner rm can still fail inside of it.
  await rm(home, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
}
