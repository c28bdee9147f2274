import { spawnSync } from "node:child_process";
import { findProgram } from "./find-program.ts";

/**
 * The words before a program that keep sudo and other setuid programs without effect for it and all it
 * starts; none where the machine cannot. It needs no rights itself.
 */
export function findNoNewPrivileges(): readonly string[] {
  // By its place: what runs behind it may put a program of that name into PATH.
  const setpriv = process.platform === "linux" ? findProgram("setpriv", "/", process.env) : null;
  if (setpriv === null) return [];
  const words = ["--no-new-privs", "--"];
  return spawnSync(setpriv, [...words, "true"], { stdio: "ignore" }).status === 0 ? [setpriv, ...words] : [];
}
