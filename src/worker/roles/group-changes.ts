/** Cuts a change that is too large to be read in one go into groups of files that belong together. */

export interface ChangedLines {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
  /** Changed lines; null for a binary file, which has no patch. */
  readonly lines: number | null;
}

export interface ChangeGroup {
  /** `01-src-api`: its patch is `diff/<name>.patch`. */
  readonly name: string;
  readonly files: readonly ChangedLines[];
  readonly lines: number;
}

/**
 * Every file is in exactly one group, neighbours in the tree stand together, and no group has more
 * changed lines or files than wanted unless a single file has.
 * @param limit changed lines per group
 */
export function groupChanges(files: readonly ChangedLines[], limit: number): readonly ChangeGroup[] {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  const groups: ChangedLines[][] = [];
  let current: ChangedLines[] = [];
  let size = 0;
  for (const file of sorted) {
    const lines = file.lines ?? 0;
    const last = current.at(-1);
    const full = size + lines > limit || current.length >= MOST_FILES;
    // A new top folder begins a new group once the present one is worth reading by itself.
    const elsewhere = last !== undefined && findTop(last.path) !== findTop(file.path) && size > limit / 4;
    if (last !== undefined && (full || elsewhere)) {
      groups.push(current);
      current = [];
      size = 0;
    }
    current.push(file);
    size += lines;
  }
  if (current.length > 0) groups.push(current);
  return groups.map((entries, index) => ({
    name: `${`${index + 1}`.padStart(2, "0")}-${formatFolder(entries)}`,
    files: entries,
    lines: entries.reduce((sum, file) => sum + (file.lines ?? 0), 0),
  }));
}

/** Also a bound for the arguments of one git command. */
const MOST_FILES = 100;

function findTop(path: string): string {
  const at = path.indexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

/** The folder all files share, in letters that every file system takes. */
function formatFolder(files: readonly ChangedLines[]): string {
  const [first, ...others] = files.map((file) => file.path.split("/").slice(0, -1));
  let shared = first ?? [];
  for (const parts of others) {
    const end = shared.findIndex((part, index) => parts[index] !== part);
    if (end >= 0) shared = shared.slice(0, end);
  }
  const name = shared
    .join("-")
    .replaceAll(/[^A-Za-z0-9-]+/gu, "_")
    .slice(0, 60);
  return name === "" ? "files" : name;
}
