import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commitFiles, createBranch, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let world: SandboxWorld;
let main: string;

beforeAll(async () => {
  world = await createWorld();
  main = await readTip(world.app, "main");
});
afterAll(() => world.close());

// https://docs.github.com/en/rest/git/refs
describe("refs", () => {
  const create = (ref: string, sha = main) => world.app.rest.git.createRef({ ...REPO, ref, sha });
  const update = (ref: string, sha: string, force = false) =>
    world.app.rest.git.updateRef({ ...REPO, ref, sha, force });

  it("cannot be created twice", async () => {
    await create("refs/heads/once");
    expect(await refusalOf(create("refs/heads/once"))).toMatchObject({
      status: 422,
      message: "Reference already exists",
    });
  });

  it("move forward only, unless forced", async () => {
    await create("refs/heads/forward");
    const next = await commitFiles(world.app, main, { "x.txt": "1" });
    await update("heads/forward", next);
    expect(await refusalOf(update("heads/forward", main))).toMatchObject({
      status: 422,
      message: "Update is not a fast forward",
    });
    await update("heads/forward", main, true);
    expect(await readTip(world.app, "forward")).toBe(main);
  });

  it("move only once when two move them from the same place at the same time", async () => {
    await create("refs/heads/race");
    const commits = await Promise.all([1, 2, 3].map((n) => commitFiles(world.app, main, { "x.txt": `race ${n}` })));
    const results = await Promise.allSettled(commits.map((sha) => update("heads/race", sha)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("point to objects that exist", async () => {
    expect(await refusalOf(create("refs/heads/nowhere", "1".repeat(40)))).toMatchObject({
      status: 422,
      message: "Object does not exist",
    });
    expect(await refusalOf(update("heads/absent", main))).toMatchObject({
      status: 422,
      message: "Reference does not exist",
    });
    expect(await refusalOf(world.app.rest.git.deleteRef({ ...REPO, ref: "heads/absent" }))).toMatchObject({
      status: 422,
      message: "Reference does not exist",
    });
    expect((await refusalOf(world.app.rest.git.getRef({ ...REPO, ref: "heads/absent" }))).status).toBe(404);
  });

  it.each(["refs/heads/a..b", "refs/heads/x.lock", "refs/heads/x.", "refs/heads/a@{b", "refs/heads/a b", "heads/x"])(
    "are not named %s",
    async (name) => {
      expect((await refusalOf(create(name))).status).toBe(422);
    },
  );

  it("do not hold x and x/y at once", async () => {
    await create("refs/heads/both");
    expect((await refusalOf(create("refs/heads/both/sub"))).status).toBe(422);
  });

  it("are found by prefix, slashes and all", async () => {
    await create("refs/heads/fleet/1-a/chunk/x.1");
    const { data } = await world.app.rest.git.listMatchingRefs({ ...REPO, ref: "heads/fleet/1-a/" });
    expect(data.map(({ ref }) => ref)).toEqual(["refs/heads/fleet/1-a/chunk/x.1"]);
    const branch = await world.app.rest.repos.getBranch({ ...REPO, branch: "fleet/1-a/chunk/x.1" });
    expect(branch.data.commit.sha).toBe(main);
  });

  it("that hold a workflow an App changed are refused", async () => {
    const writer = world.as(world.tokens.writer);
    const sha = await commitFiles(writer, main, { ".github/workflows/work.yml": "on: push\n" });
    expect(await refusalOf(create("refs/heads/workflow", sha))).toMatchObject({
      status: 403,
      message: expect.stringContaining("without `workflows` permission"),
    });
    expect((await refusalOf(update("heads/once", sha))).status).toBe(403);
  });
});

// https://docs.github.com/en/rest/git/trees
describe("trees", () => {
  const create = (tree: object[], base: string | undefined = main) =>
    world.app.request("POST /repos/{owner}/{repo}/git/trees", {
      ...REPO,
      tree,
      ...(base && { base_tree: base }),
    } as never);
  const list = async (sha: string) => {
    const { data } = await world.app.rest.git.getTree({ ...REPO, tree_sha: sha, recursive: "true" });
    return data.tree.filter(({ type }) => type === "blob").map(({ path, mode }) => `${mode} ${path}`);
  };

  it("keep what the base has, replace, add and delete", async () => {
    const { data } = (await create([
      { path: "src/cart.js", mode: "100755", type: "blob", content: "new" },
      { path: "docs/a/b.md", mode: "100644", type: "blob", content: "deep" },
      { path: "README.md", mode: "100644", type: "blob", sha: null },
    ])) as { data: { sha: string } };
    expect(await list(data.sha)).toEqual([
      "100644 .github/workflows/work.yml",
      "100644 docs/a/b.md",
      "100755 src/cart.js",
    ]);
  });

  it("let a file take a folder's place and the other way round", async () => {
    const { data } = (await create([
      { path: "src", mode: "100644", type: "blob", content: "a file now" },
      { path: "README.md/inner.txt", mode: "100644", type: "blob", content: "a folder now" },
    ])) as { data: { sha: string } };
    expect(await list(data.sha)).toEqual([
      "100644 .github/workflows/work.yml",
      "100644 README.md/inner.txt",
      "100644 src",
    ]);
  });

  it("hold symbolic links and need no base", async () => {
    const { data } = (await create([{ path: "link", mode: "120000", type: "blob", content: "target" }], "")) as {
      data: { sha: string };
    };
    expect(await list(data.sha)).toEqual(["120000 link"]);
  });

  it.each([["../up.txt"], ["a//b"], [".git/config"], ["a/.GIT/hooks"], ["./a"]])(
    "hold no path like %s",
    async (path) => {
      expect((await refusalOf(create([{ path, mode: "100644", type: "blob", content: "x" }]))).status).toBe(422);
    },
  );

  it("cannot delete what is not there, nor name a blob that does not exist", async () => {
    expect((await refusalOf(create([{ path: "gone.txt", mode: "100644", type: "blob", sha: null }]))).status).toBe(422);
    expect((await refusalOf(create([{ path: "x", mode: "100644", type: "blob", sha: "2".repeat(40) }]))).status).toBe(
      422,
    );
  });

  // https://github.com/anthropics/claude-code-action/issues/29
  it("with a workflow file in them are not made for an App", async () => {
    const entry = { path: ".github/workflows/x.yml", mode: "100644", type: "blob", content: "on: push" };
    expect(await refusalOf(create([entry]))).toMatchObject({
      status: 403,
      message: "Resource not accessible by integration",
    });
  });
});

// https://docs.github.com/en/rest/git/commits
describe("commits", () => {
  it("keep message, author and date exactly", async () => {
    const tree = (await world.app.rest.git.getCommit({ ...REPO, commit_sha: main })).data.tree.sha;
    const message = "Title\n\nBody\n\n\nskip-checks: true";
    const { data } = await world.app.rest.git.createCommit({
      ...REPO,
      message,
      tree,
      parents: [main],
      author: { name: "Ada", email: "ada@example.org", date: "2020-01-02T03:04:05Z" },
    });
    expect(data).toMatchObject({
      message,
      author: { name: "Ada", email: "ada@example.org", date: "2020-01-02T03:04:05Z" },
      parents: [{ sha: main }],
      verification: { verified: false },
    });
  });

  it("of a bot without a named author are signed by GitHub", async () => {
    const sha = await commitFiles(world.app, main, { "signed.txt": "x" });
    const { data } = await world.app.rest.git.getCommit({ ...REPO, commit_sha: sha });
    expect(data.verification).toMatchObject({ verified: true, reason: "valid" });
    expect(data.committer.email).toBe("noreply@github.com");
    const full = await world.app.rest.repos.getCommit({ ...REPO, ref: sha });
    expect(full.data.author?.login).toBe("taskfleet[bot]");
    expect(full.data.files?.map(({ filename, status }) => `${status} ${filename}`)).toEqual(["added signed.txt"]);
  });

  it("need a tree and parents that exist", async () => {
    const wrong = { ...REPO, message: "x", tree: "3".repeat(40), parents: [main] };
    expect(await refusalOf(world.app.rest.git.createCommit(wrong))).toMatchObject({
      status: 422,
      message: "Tree SHA does not exist",
    });
  });
});

describe("blobs and contents", () => {
  it("carry bytes of any kind", async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const { data } = await world.app.rest.git.createBlob({
      ...REPO,
      content: bytes.toString("base64"),
      encoding: "base64",
    });
    const read = await world.app.rest.git.getBlob({ ...REPO, file_sha: data.sha });
    expect(Buffer.from(read.data.content, "base64")).toEqual(bytes);
  });

  it("show a file at any ref, a folder as a list, and 404 for the rest", async () => {
    await createBranch(world.app, "feature/#1", { "docs/über uns.md": "Hallo" });
    const file = await world.app.rest.repos.getContent({ ...REPO, path: "docs/über uns.md", ref: "feature/#1" });
    expect(file.data).toMatchObject({ type: "file", name: "über uns.md", content: "SGFsbG8=" });
    const folder = await world.app.rest.repos.getContent({ ...REPO, path: "" });
    expect((folder.data as { name: string }[]).map(({ name }) => name)).toEqual([".github", "README.md", "src"]);
    expect((await refusalOf(world.app.rest.repos.getContent({ ...REPO, path: "none" }))).status).toBe(404);
  });
});

// https://docs.github.com/en/rest/commits/commits#compare-two-commits
describe("comparison", () => {
  const compare = async (basehead: string) =>
    (await world.app.rest.repos.compareCommitsWithBasehead({ ...REPO, basehead })).data;

  it("tells how far two commits are apart and shows renames under both names", async () => {
    const { data: readme } = await world.app.rest.repos.getContent({ ...REPO, path: "src/cart.js" });
    const text = Buffer.from((readme as { content: string }).content, "base64").toString();
    const head = await createBranch(world.app, "renaming", {
      "src/cart.js": null,
      "lib/basket.js": text,
      "bin.dat": "\0\x01",
    });
    const data = await compare(`main...${head}`);
    expect(data).toMatchObject({ status: "ahead", ahead_by: 1, behind_by: 0, total_commits: 1 });
    const files = data.files ?? [];
    expect(files.map(({ status, filename, previous_filename: from }) => [status, filename, from])).toEqual([
      ["added", "bin.dat", undefined],
      ["renamed", "lib/basket.js", "src/cart.js"],
    ]);
    // A binary file has no patch. https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
    expect(files[0]).not.toHaveProperty("patch");
    expect((await compare(`${head}...main`)).status).toBe("behind");
    expect((await compare("main...main")).status).toBe("identical");
  });

  it("shows at most 300 files", async () => {
    const many = Object.fromEntries(Array.from({ length: 305 }, (_, i) => [`many/${i}.txt`, `${i}`]));
    const head = await createBranch(world.app, "many", many);
    expect((await compare(`main...${head}`)).files).toHaveLength(300);
    const { data } = await world.app.rest.pulls.create({ ...REPO, head: "many", base: "main", title: "Many" });
    const files = await world.app.paginate(world.app.rest.pulls.listFiles, {
      ...REPO,
      pull_number: data.number,
      per_page: 100,
    });
    expect(files).toHaveLength(305);
  });
});

// https://docs.github.com/en/rest/branches/branches#merge-a-branch
describe("merging a branch", () => {
  const merge = (base: string, head: string) => world.app.rest.repos.merge({ ...REPO, base, head });

  it("answers 201, 204 when there is nothing to do, 409 on conflict and 404 for what is missing", async () => {
    await createBranch(world.app, "base", { "base.txt": "b" });
    await createBranch(world.app, "left", { "same.txt": "left" });
    await createBranch(world.app, "right", { "same.txt": "right" });
    expect((await merge("base", "left")).status).toBe(201);
    expect((await merge("base", "left")).status).toBe(204);
    expect(await refusalOf(merge("base", "right"))).toMatchObject({ status: 409, message: "Merge conflict" });
    expect(await refusalOf(merge("base", "nothing"))).toMatchObject({ status: 404, message: "Head does not exist" });
    expect(await refusalOf(merge("nothing", "left"))).toMatchObject({ status: 404, message: "Base does not exist" });
  });
});

// github-facts 34: a ruleset can block branches that do not exist yet
describe("rulesets", () => {
  it("can be asked about before and refuse afterwards", async () => {
    await world.sandbox.createRepository({
      owner: "acme",
      name: "ruled",
      fromDir: `${world.folder}/source`,
      collaborators: {},
      rules: [{ branches: "taskfleet/**", type: "creation", rulesetId: 1 }],
    });
    const ruled = { owner: "acme", repo: "ruled" };
    const { data } = await world.app.rest.repos.getBranchRules({ ...ruled, branch: "taskfleet/1-x/integration" });
    expect(data.map(({ type }) => type)).toEqual(["creation"]);
    const { data: ref } = await world.app.rest.git.getRef({ ...ruled, ref: "heads/main" });
    const refusal = await refusalOf(
      world.app.rest.git.createRef({ ...ruled, ref: "refs/heads/taskfleet/1-x/integration", sha: ref.object.sha }),
    );
    expect(refusal.status).toBe(422);
    expect(refusal.message).toMatch(/^Repository rule violations found/);
  });
});
