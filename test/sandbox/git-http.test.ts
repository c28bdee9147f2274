import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBranch, readTip } from "./make-commits.ts";
import { REPO, type SandboxWorld, createWorld, git, writeFiles } from "./sandbox-world.ts";

let world: SandboxWorld;
let clones = 0;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

function address(token: string | null): string {
  return token === null
    ? world.repository.cloneUrl
    : world.repository.cloneUrl.replace("http://", `http://x-access-token:${token}@`);
}

/** A fresh clone; returns its folder. */
async function clone(token: string | null): Promise<string> {
  clones += 1;
  const folder = join(world.folder, `clone-${clones}`);
  await git(world.folder, "clone", "--quiet", address(token), folder);
  return folder;
}

async function commitFile(folder: string, path: string, text: string): Promise<void> {
  await writeFiles(folder, { [path]: text });
  await git(folder, "add", "-A");
  await git(folder, "commit", "--quiet", "-m", `Write ${path}`);
}

async function failureOf(command: Promise<unknown>): Promise<string> {
  return command.then(
    () => "",
    (error: { stderr?: string }) => error.stderr ?? "",
  );
}

describe("git over HTTP", () => {
  it("clones a public repository for anybody and takes pushes from writers", async () => {
    const anonymous = await clone(null);
    await commitFile(anonymous, "a.txt", "a");
    expect(await failureOf(git(anonymous, "push", "--quiet"))).toMatch(/could not read Username|Authentication/);

    const writer = await clone(world.tokens.writer);
    await commitFile(writer, "b.txt", "b");
    await git(writer, "push", "--quiet");
    expect(await readTip(world.app, "main")).toBe(await git(writer, "rev-parse", "HEAD"));
  });

  it("tells a reader that pushing is denied", async () => {
    const reader = await clone(world.tokens.reader);
    await commitFile(reader, "c.txt", "c");
    expect(await failureOf(git(reader, "push", "--quiet"))).toContain("Permission to acme/shop.git denied to reader.");
  });

  it("does not let a read-only installation token push", async () => {
    const { data } = await world.appJwt.rest.apps.createInstallationAccessToken({
      installation_id: world.sandbox.installationId,
      permissions: { contents: "read" },
    });
    const folder = await clone(data.token);
    await commitFile(folder, "d.txt", "d");
    expect(await failureOf(git(folder, "push", "--quiet"))).toContain("403");
  });

  it("refuses a push that is not a fast forward, and takes it with force", async () => {
    const folder = await clone(world.tokens.writer);
    await git(folder, "checkout", "--quiet", "-b", "moving");
    await commitFile(folder, "e.txt", "e");
    await git(folder, "push", "--quiet", "origin", "moving");
    await git(folder, "commit", "--quiet", "--amend", "-m", "Other");
    expect(await failureOf(git(folder, "push", "--quiet", "origin", "moving"))).toMatch(/rejected/);
    await git(folder, "push", "--quiet", "--force", "origin", "moving");
    expect(await readTip(world.app, "moving")).toBe(await git(folder, "rev-parse", "HEAD"));
  });

  // https://github.com/peter-evans/create-pull-request/issues/1713
  it("refuses an App's push that touches a workflow, on branches old and new, but not a person's", async () => {
    const folder = await clone(await world.installationToken());
    await commitFile(folder, ".github/workflows/new.yml", "on: push\n");
    for (const target of ["main", "fresh"]) {
      const said = await failureOf(git(folder, "push", "--quiet", "origin", `HEAD:refs/heads/${target}`));
      expect(said).toContain(
        "refusing to allow a GitHub App to create or update workflow `.github/workflows/new.yml` without `workflows` permission",
      );
    }
    await git(folder, "push", "--quiet", address(world.tokens.writer), "HEAD:refs/heads/by-a-person");
  });

  it("lets an App push a new branch whose workflows are those of a branch that exists", async () => {
    const folder = await clone(await world.installationToken());
    await commitFile(folder, "f.txt", "f");
    await git(folder, "push", "--quiet", "origin", "HEAD:refs/heads/plain");
  });

  it("serves any commit by its SHA and pull request refs, and takes no push to those", async () => {
    const sha = await createBranch(world.app, "topic", { "g.txt": "g" });
    const { data } = await world.app.rest.pulls.create({ ...REPO, head: "topic", base: "main", title: "Topic" });
    await world.sandbox.idle();
    const folder = await clone(world.tokens.writer);
    await git(folder, "fetch", "--quiet", "--depth=1", "origin", sha);
    expect(await git(folder, "rev-parse", "FETCH_HEAD")).toBe(sha);
    await git(folder, "fetch", "--quiet", "origin", `refs/pull/${data.number}/merge`);
    expect(await git(folder, "log", "-1", "--format=%s", "FETCH_HEAD")).toMatch(/^Merge [0-9a-f]{40} into /);
    expect(await failureOf(git(folder, "push", "origin", `HEAD:refs/pull/${data.number}/head`))).toMatch(
      /deny|rejected/,
    );
  });

  it("keeps executable bits and symbolic links of what it was made from", async () => {
    await writeFiles(join(world.folder, "other"), { "run.sh": "#!/bin/sh\n", "a.txt": "a" });
    await git(world.folder, "init", "--quiet", "-b", "trunk", "other");
    await git(join(world.folder, "other"), "add", "-A");
    await git(join(world.folder, "other"), "commit", "--quiet", "-m", "One");
    await writeFile(join(world.folder, "other", "dirty.txt"), "not committed");
    const { cloneUrl } = await world.sandbox.createRepository({
      owner: "acme",
      name: "other",
      fromDir: join(world.folder, "other"),
      defaultBranch: "trunk",
      collaborators: {},
    });
    await git(world.folder, "clone", "--quiet", cloneUrl, "other-clone");
    const listed = await git(join(world.folder, "other-clone"), "ls-files", "-s");
    expect(listed).toMatch(/^100644 .*a\.txt\n100755 .*run\.sh$/);
  });

  it("refuses what a ruleset forbids and says which rule", async () => {
    const { cloneUrl } = await world.sandbox.createRepository({
      owner: "acme",
      name: "ruled",
      fromDir: join(world.folder, "source"),
      collaborators: { writer: "write" },
      rules: [{ branches: "main", type: "pull_request", rulesetId: 7, requiredApprovals: 1 }],
    });
    const folder = join(world.folder, "ruled");
    await git(
      world.folder,
      "clone",
      "--quiet",
      cloneUrl.replace("http://", `http://x:${world.tokens.writer}@`),
      folder,
    );
    await commitFile(folder, "x.txt", "x");
    expect(await failureOf(git(folder, "push", "--quiet"))).toContain(
      "GH013: Repository rule violations found for refs/heads/main.",
    );
    await git(folder, "push", "--quiet", "origin", "HEAD:refs/heads/free");
  });
});
