import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Files } from "./scenario.ts";

export interface Repository {
  readonly root: string;
  /** Applies edits on top of a commit (null = the present tree) and commits them; the commit's name. */
  readonly commit: (on: string | null, files: Files) => string;
  readonly remove: () => void;
}

/** A git repository with the files of a base folder, in a temporary folder. */
export function buildRepository(base: string): Repository {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "taskfleet-catch-")));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Catch", "-c", "user.email=catch@example.org", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  cpSync(path.join("test/fixtures/catch", base), root, { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  return {
    root,
    commit: (on, files) => {
      if (on !== null) git("checkout", "--quiet", "--detach", "--force", on);
      for (const [file, edit] of Object.entries(files)) apply(root, file, edit);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message=Change");
      return git("rev-parse", "HEAD");
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function apply(root: string, file: string, edit: Files[string]): void {
  const full = path.join(root, file);
  if (edit === null) {
    rmSync(full);
    return;
  }
  mkdirSync(path.dirname(full), { recursive: true });
  if (typeof edit === "string") writeFileSync(full, edit);
  else if ("link" in edit) {
    rmSync(full, { force: true });
    symlinkSync(edit.link, full);
  } else {
    let text = readFileSync(full, "utf8");
    for (const [from, to] of edit.replace) {
      // A scenario that changes nothing would prove nothing.
      if (!text.includes(from)) throw new Error(`${file} does not hold ${JSON.stringify(from)}`);
      text = text.replace(from, () => to);
    }
    writeFileSync(full, text);
  }
}
