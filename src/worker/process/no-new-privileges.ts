import { spawnSync } from "node:child_process";

const words = ["setpriv", "--no-new-privs", "--"] as const;

/**
 * The words before a program that keep sudo and other setuid programs without effect for it and all it
 * starts; none where the machine cannot. It needs no rights itself.
 */
export function findNoNewPrivileges(): readonly string[] {
  if (process.platform !== "linux") return [];
  const probe = spawnSync(words[0], [...words.slice(1), "true"], { stdio: "ignore" });
  return probe.status === 0 ? words : [];
}
