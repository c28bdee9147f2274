import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];

/** A git repository in a temporary folder, and room for runs next to it. */
export class SandboxRepository {
  readonly folder = mkdtempSync(path.join(tmpdir(), "taskfleet-actions-"));
  readonly git = path.join(this.folder, "source");

  constructor(files: Readonly<Record<string, string>> = { "README.md": "Hello\n" }) {
    mkdirSync(this.git);
    this.run("init", "--quiet", "--initial-branch=main");
    this.commit(files, "First");
  }

  /** Runs git in the work tree and returns its trimmed output. */
  run(...args: string[]): string {
    return execFileSync("git", [...identity, ...args], { cwd: this.git, encoding: "utf8" }).trim();
  }

  /** Writes files, commits, returns the commit. */
  commit(files: Readonly<Record<string, string>>, message: string): string {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.git, name)), { recursive: true });
      writeFileSync(path.join(this.git, name), text);
    }
    this.run("add", "--all");
    this.run("commit", "--quiet", "--allow-empty", "-m", message);
    return this.run("rev-parse", "HEAD");
  }

  get cloneUrl(): string {
    return `file://${this.git}`;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
