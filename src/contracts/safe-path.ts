import { isBlank } from "./blank.ts";
import { foldCase } from "./case-folding.ts";

/** Most paths look like this; components that begin with a letter or digit cannot be `.`, `..` or `.git`. */
const plainPath = /^[A-Za-z0-9_@][A-Za-z0-9_@.+-]*(?:\/[A-Za-z0-9_@][A-Za-z0-9_@.+-]*)*$/;
const controlCharacter = /\p{Cc}/u;
/** Invisible characters, except the joiners that some scripts need to be spelt at all. */
const invisibleCharacter = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/u;
const maxComponentBytes = 255;
const maxPathBytes = 4096;

/**
 * Tells why a path from a plan, a change set or a report may not be used inside a repository, or
 * `null` when it may. Purely lexical and the same on every operating system; symbolic links are
 * judged where the tree is known. Paths are exact: no globs, brackets are literal.
 */
export function checkSafePath(path: string): string | null {
  if (path.length <= maxComponentBytes && plainPath.test(path)) return null;
  if (path === "") return "is empty";
  if (path.startsWith("/")) return "is absolute (starts with `/`)";
  if (path.startsWith("~")) return "starts with `~`";
  if (path.includes("\\")) return "contains a backslash (separate folders by `/`)";
  if (path.includes(":")) return "contains `:`";
  if (controlCharacter.test(path)) return "contains a control character";
  if (invisibleCharacter.test(path)) return "contains an invisible character";
  if (/[*?]/.test(path)) return "contains `*` or `?` (name exact files, no globs)";
  if (!path.isWellFormed()) return "contains half of a surrogate pair";
  if (byteLength(path) > maxPathBytes) return `is longer than ${maxPathBytes} bytes`;
  for (const component of path.split("/")) {
    const reason = checkComponent(component);
    if (reason !== null) return reason;
  }
  return null;
}

function checkComponent(component: string): string | null {
  if (component === "") return "has an empty component (`//` or a final `/`)";
  if (component === ".") return "has a `.` component";
  if (component === "..") return "leaves the repository (`..`)";
  if (isBlank(component)) return "has a blank component";
  if (isGitFolder(component)) return "enters a `.git` folder";
  if (byteLength(component) > maxComponentBytes) return `has a component of more than ${maxComponentBytes} bytes`;
  return null;
}

/**
 * `.git` as any disk would read it: HFS+ ignores joiners, NTFS drops final dots and blanks and
 * knows the short name `git~1` (git refuses the same names: core.protectHFS, core.protectNTFS).
 */
export function isGitFolder(component: string): boolean {
  const name = foldCase(component.replaceAll(/[\u200c\u200d]/g, "")).replace(/[. ]+$/, "");
  return name === ".git" || name === "git~1";
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Why a path that is safe may still make trouble on some disks, or `null`. */
export function checkPortablePath(path: string): string | null {
  for (const component of path.split("/")) {
    if (/^\s|\s$/u.test(component)) return "has a component that begins or ends with a blank";
    if (component.endsWith(".")) return "has a component that ends with a dot, which Windows drops";
  }
  return null;
}

/** The key under which two paths are the same file on a case-insensitive or normalising disk. */
export function foldPath(path: string): string {
  return foldCase(path);
}
