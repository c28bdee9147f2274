import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import picomatch from "picomatch";

export interface FoundFiles {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** The folder all searches share, as the artifact's root. */
  readonly root: string;
}

export interface FindOptions {
  /** Relative patterns start here. */
  readonly cwd: string;
  /** Replaces a leading `~`. */
  readonly home: string;
  readonly hidden: "include" | "exclude";
}

interface Search {
  /** The part of the pattern without wildcards. */
  readonly base: string;
  readonly matches: (file: string) => boolean;
}

/**
 * Finds files the way upload-artifact and hashFiles do: one pattern per line, `*`, `?`, `[…]`, `**`,
 * `!pattern` takes files back, a folder stands for everything in it.
 * https://github.com/actions/toolkit/tree/main/packages/glob#patterns
 */
export function findFiles(patterns: readonly string[], options: FindOptions): FoundFiles {
  const lines = patterns.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  const included = lines.filter((line) => !line.startsWith("!")).map((line) => buildSearch(line, options));
  const excluded = lines.filter((line) => line.startsWith("!")).map((line) => buildSearch(line.slice(1), options));
  const files = new Set<string>();
  for (const search of included)
    for (const file of listFiles(search.base, options, new Set()))
      if (search.matches(file) && !excluded.some((exclusion) => exclusion.matches(file))) files.add(file);
  return { files: [...files].sort(), root: findRoot(included, [...files]) };
}

function buildSearch(pattern: string, { cwd, home }: FindOptions): Search {
  const expanded = pattern === "~" || pattern.startsWith("~/") ? home + pattern.slice(1) : pattern;
  const absolute = path.resolve(cwd, expanded);
  const { base } = picomatch.scan(absolute);
  const isGlob = base !== absolute;
  const matchesPattern = isGlob ? picomatch(absolute, { dot: true, nobrace: true, noextglob: true }) : null;
  return {
    base: base === "" ? "/" : base,
    matches: (file) => {
      if (matchesPattern === null) return file === absolute || file.startsWith(`${absolute}/`);
      // A matched folder stands for its contents.
      for (let current = file; current.length > base.length; current = path.dirname(current))
        if (matchesPattern(current)) return true;
      return false;
    },
  };
}

function* listFiles(entry: string, options: FindOptions, ancestors: ReadonlySet<string>): Generator<string> {
  const stats = statSync(entry, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isFile()) yield entry;
  if (!stats.isDirectory()) return;
  // Symbolic links are followed; a link to a folder on the way here would never end.
  const identity = `${stats.dev}:${stats.ino}`;
  if (ancestors.has(identity)) return;
  for (const name of readdirSync(entry)) {
    if (options.hidden === "exclude" && name.startsWith(".")) continue;
    yield* listFiles(path.join(entry, name), options, new Set([...ancestors, identity]));
  }
}

/** A single file lies at the root; otherwise paths are kept below what the searches have in common. */
function findRoot(searches: readonly Search[], files: readonly string[]): string {
  const bases = searches.map(({ base }) => base);
  const [only] = bases;
  if (only === undefined) return "/";
  if (bases.length === 1) return files.length === 1 && files[0] === only ? path.dirname(only) : only;
  const parts = bases.map((base) => base.split("/"));
  const shared =
    parts[0]?.filter((_, index) => parts.every((other) => sharesPrefix(other, parts[0] ?? [], index))) ?? [];
  const root = shared.join("/") || "/";
  return files.includes(root) ? path.dirname(root) : root;
}

function sharesPrefix(a: readonly string[], b: readonly string[], upTo: number): boolean {
  return b.slice(0, upTo + 1).every((part, index) => a[index] === part);
}
