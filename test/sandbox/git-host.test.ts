import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { closeGitRepository, createGitRepository } from "../../src/sandbox/git/git-repository.ts";
import { runGit } from "../../src/sandbox/git/run-git.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-git-"));
  folders.push(folder);
  return folder;
}

/** The hosts among this process's children. */
function listHosts(): readonly string[] {
  return readdirSync("/proc/self/task")
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" "))
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("git-host-process"));
}

describe("a git command of the sandbox", () => {
  it("gets its input and gives back its bytes and its exit code", async () => {
    const git = await createGitRepository(path.join(createFolder(), "a.git"), "main");
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const written = await runGit(git.dir, ["hash-object", "-w", "--stdin"], { input: bytes });
    const sha = written.stdout.toString().trim();
    expect((await runGit(git.dir, ["cat-file", "blob", sha])).stdout.equals(bytes)).toBe(true);
    const failed = await runGit(git.dir, ["cat-file", "blob", "nothing"]);
    expect(failed).toMatchObject({ code: 128, stderr: expect.stringContaining("nothing") });
    await closeGitRepository(git);
  });

  it("in a folder that is not there is refused, and the next one is run", async () => {
    const git = await createGitRepository(path.join(createFolder(), "a.git"), "main");
    await expect(runGit(path.join(git.dir, "missing"), ["version"])).rejects.toThrow("ENOENT");
    expect((await runGit(git.dir, ["version"])).code).toBe(0);
    await closeGitRepository(git);
  });

  (process.platform === "linux" ? it : it.skip)(
    "is started by one small process for all repositories, which is gone with the last of them",
    async () => {
      const folder = createFolder();
      const first = await createGitRepository(path.join(folder, "a.git"), "main");
      const second = await createGitRepository(path.join(folder, "b.git"), "main");
      await Promise.all([runGit(first.dir, ["version"]), runGit(second.dir, ["version"])]);
      expect(listHosts()).toHaveLength(1);
      await closeGitRepository(first);
      expect((await runGit(second.dir, ["version"])).code).toBe(0);
      await closeGitRepository(second);
      expect(listHosts()).toEqual([]);
    },
  );

  (process.platform === "linux" ? it : it.skip)("is run by another host when the first one was killed", async () => {
    const git = await createGitRepository(path.join(createFolder(), "a.git"), "main");
    const under = runGit(git.dir, ["cat-file", "--batch-check"], { input: "main\n".repeat(200_000) });
    const [pid = ""] = listHosts();
    process.kill(Number(pid), "SIGKILL");
    await expect(under).rejects.toThrow("has ended");
    expect((await runGit(git.dir, ["version"])).code).toBe(0);
    await closeGitRepository(git);
  });
});
