import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Scratch {
  readonly root: string;
  /** Writes files and commits everything; the commit's full name. */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
  readonly remove: () => void;
}

/** A git repository in a temporary folder. */
export function createScratch(): Scratch {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "taskfleet-capture-")));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  git("init", "--quiet", "--initial-branch=main");
  return {
    root,
    commit: (files) => {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
        writeFileSync(path.join(root, file), text);
      }
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message=Test");
      return git("rev-parse", "HEAD");
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
