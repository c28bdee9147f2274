/** What other users can reach on a hosted runner: the checkout, and nothing that later steps of the job rely on. */
import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";

const othersWrite = 0o002;
const othersPass = 0o001;
const othersList = 0o005;
const sticky = 0o1000;

/**
 * Who may write a folder may put another one in its place. Needs root; what is not there is passed over.
 * @param paths absolute; each is closed with all folders above it.
 */
export function closePaths(paths: readonly string[]): void {
  const seen = new Set<string>();
  for (const start of paths)
    for (let file = path.resolve(start); !seen.has(file); file = path.dirname(file)) {
      seen.add(file);
      // In a sticky folder nobody can touch what is another's.
      if (((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & sticky) === 0) close(file);
    }
}

/**
 * The home folder of a hosted runner, with the checkout in it, is closed to other users: systemd's tests open it
 * (`chmod o+x /home/runner`), as others do. Needs root; what can be read by passing through was the job's own to read.
 * @param folders absolute; those above each may be passed, and the folders themselves be listed.
 */
export function openPaths(folders: readonly string[]): void {
  for (const folder of folders) {
    let file = path.resolve(folder);
    for (let missing = othersList; ; missing = othersPass) {
      const facts = statSync(file, { throwIfNoEntry: false });
      if (facts?.isDirectory() === true && (facts.mode & missing) !== missing) setMode(file, facts.mode | missing);
      if (file === path.dirname(file)) break;
      file = path.dirname(file);
    }
  }
}

/**
 * Hosted runners let everybody write where programs lie (/opt, /usr/share, /usr/local/bin:
 * github.com/actions/runner-images/blob/main/images/ubuntu/scripts/build/configure-system.sh). The programs that are
 * there stay as they are; adding some stays possible, since a repository's setup may install one.
 */
export function closePrograms(folders: readonly string[]): void {
  for (const file of listEntries(folders)) close(file);
}

/** Removes from the folders what a user put there: a later step would start it. */
export async function removePrograms(folders: readonly string[], uid: number): Promise<void> {
  for (const file of listEntries(folders))
    if (lstatSync(file, { throwIfNoEntry: false })?.uid === uid) await rm(file, { recursive: true, force: true });
}

/** The absolute folders of a PATH. */
export function listProgramFolders(variable: string | undefined): readonly string[] {
  return (variable ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

function listEntries(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder).map((name) => path.join(folder, name));
    } catch {
      return [];
    }
  });
}

/** Follows links: what they lead to is the program. */
function close(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & othersWrite) !== 0) setMode(file, mode & ~othersWrite);
}

/** What lies on a read-only disk stays as it is, and nobody writes it either. */
function setMode(file: string, mode: number): void {
  try {
    chmodSync(file, mode & 0o7777);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EROFS") throw error;
  }
}
