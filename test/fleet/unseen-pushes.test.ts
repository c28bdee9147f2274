/** What people push to branches of ours while no webhook tells of it. */
import { execFileSync } from "node:child_process";
import { afterEach, expect, it } from "@jest/globals";
import { WORKFLOW_PATH } from "../../src/contracts/names.ts";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

/** Commits files on top of a branch; the local GitHub's repository itself is changed, so nothing is delivered. */
function pushUnseen(branch: string, files: Readonly<Record<string, string>>): string {
  const { owner, repo } = stage.repo;
  const dir = stage.sandbox.world.findRepository(owner, repo)?.git.dir ?? "";
  const git = (args: readonly string[], input = ""): string =>
    execFileSync("git", ["--git-dir", dir, "-c", "user.name=mara", "-c", "user.email=mara@example.org", ...args], {
      encoding: "utf8",
      input,
      env: { ...process.env, GIT_INDEX_FILE: `${dir}/unseen-index` },
      stdio: ["pipe", "pipe", "pipe"],
    }).trim();
  git(["read-tree", branch]);
  for (const [file, content] of Object.entries(files)) {
    const blob = git(["hash-object", "-w", "--stdin"], content);
    git(["update-index", "--add", "--cacheinfo", `100644,${blob},${file}`]);
  }
  const commit = git(["commit-tree", git(["write-tree"]), "-p", branch, "-m", "By hand"]);
  git(["update-ref", `refs/heads/${branch}`, commit]);
  return commit;
}

it("a person's push is judged and lands instead of what an agent made meanwhile", async () => {
  let theirs = "";
  stage = await openStage({
    script: ({ request }) => {
      if (request.role === "implement")
        theirs = pushUnseen(`taskfleet/${request.run}/chunk/greeting`, {
          "src/greeting.txt": "hello, from Mara\n",
          "test/greeting.test.txt": "assert hello\n",
        });
      return null;
    },
  });
  const issue = await stage.begin();
  await stage.approve(issue);
  await stage.ownComment(issue, /^report$/u);
  const facts = stage.facts();
  expect(facts).toContainEqual(expect.objectContaining({ kind: "PersonPushed", head: theirs, problems: [] }));
  expect(facts.filter(({ kind }) => kind === "ChangeSetCommitted")).toEqual([]);
  const { data } = await stage.mara.repos.getContent({ ...stage.repo, path: "src/greeting.txt" });
  if (Array.isArray(data) || data.type !== "file") throw new Error("no file");
  expect(Buffer.from(data.content, "base64").toString("utf8")).toBe("hello, from Mara\n");
}, 60_000);

it("a verdict on the feature is not believed when somebody's workflow file made it", async () => {
  let theirs = "";
  stage = await openStage({
    script: ({ request, show }) => {
      if (request.role === "floor" && request.checks?.acceptance === true) {
        const workflow = show(`${request.commit}:${WORKFLOW_PATH}`);
        const hash = findCandidate(request.commit);
        theirs = pushUnseen(hash, { [WORKFLOW_PATH]: `${workflow}# mine\n` });
      }
      return null;
    },
  });
  const issue = await stage.begin();
  await stage.ownComment(issue, /^approval:/u);
  // The source branch moves, so that what is accepted is a candidate of its own.
  await stage.commitFile("docs/news.md", "news\n");
  await stage.approve(issue);
  const ended = await stage.until("the final review ends", async () =>
    stage.facts().find((fact) => fact.kind === "JobEnded" && fact.job.includes("final-review")),
  );
  expect(ended).toMatchObject({ outcome: "lost", cause: expect.stringContaining(theirs.slice(0, 10)) });
  expect(stage.facts().filter(({ kind }) => kind === "FeatureMerged")).toEqual([]);
}, 60_000);

/** The branch of ours that is at this commit. */
function findCandidate(commit: string): string {
  const { owner, repo } = stage.repo;
  const dir = stage.sandbox.world.findRepository(owner, repo)?.git.dir ?? "";
  const format = "--format=%(refname:lstrip=2)";
  return execFileSync(
    "git",
    ["--git-dir", dir, "for-each-ref", format, "--points-at", commit, "refs/heads/taskfleet"],
    {
      encoding: "utf8",
    },
  ).trim();
}
