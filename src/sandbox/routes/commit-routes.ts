import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readParam } from "../http/api-context.ts";
import { paginate, readPage } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { HttpProblem, notFound, unprocessable, validationFailed } from "../http-problem.ts";
import { buildSignature } from "../git/actor-signature.ts";
import { type Commit, readCommit, writeCommit } from "../git/commit-object.ts";
import { diffTrees } from "../git/diff.ts";
import { countCommits, findMergeBase, isAncestor, listCommits, listHistory, mergeTrees } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { changeRef } from "../refs/change-ref.ts";
import { checkRules, checkWorkflowFiles } from "../refs/check-ref-rules.ts";
import { serializeCommit, serializeFile } from "../serialize/serialize-git.ts";
import { formatRepositoryPage, formatRepositoryUrl } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import { resolveRevision } from "./contents-routes.ts";

/** https://docs.github.com/en/rest/commits/commits#compare-two-commits */
const MAX_COMPARE_FILES = 300;

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

async function requireCommit(repository: Repository, revision: string): Promise<Commit> {
  const sha = await resolveRevision(repository, revision);
  const commit = sha === null ? null : await readCommit(repository.git, sha);
  if (commit === null) throw unprocessable(`No commit found for SHA: ${revision}`);
  return commit;
}

function stripOwner(repository: Repository, text: string): string {
  const prefix = `${repository.owner.login}:`;
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

async function compareCommits(services: Services, c: ApiContext, repository: Repository) {
  const { git } = repository;
  const found = /^(.+?)\.\.\.(.+)$/.exec(readParam(c, "basehead"));
  if (found === null) throw notFound();
  const [baseSha, headSha] = await Promise.all([
    resolveRevision(repository, stripOwner(repository, found[1] ?? "")),
    resolveRevision(repository, stripOwner(repository, found[2] ?? "")),
  ]);
  if (baseSha === null || headSha === null) throw notFound();
  const mergeBase = await findMergeBase(git, baseSha, headSha);
  if (mergeBase === null) {
    throw notFound(`No common ancestor between ${found[1]} and ${found[2]}.`);
  }
  const [base, merge, commits, behind, files] = await Promise.all([
    readCommit(git, baseSha),
    readCommit(git, mergeBase),
    listCommits(git, baseSha, headSha),
    countCommits(git, headSha, baseSha),
    diffTrees(git, mergeBase, headSha),
  ]);
  if (base === null || merge === null) throw notFound();
  const ahead = commits.length;
  const status = ahead > 0 ? (behind > 0 ? "diverged" : "ahead") : behind > 0 ? "behind" : "identical";
  const url = `${formatRepositoryUrl(services.urls, repository)}/compare/${readParam(c, "basehead")}`;
  const page = `${formatRepositoryPage(services.urls, repository)}/compare/${readParam(c, "basehead")}`;
  return {
    url,
    html_url: page,
    permalink_url: `${formatRepositoryPage(services.urls, repository)}/compare/${baseSha}...${headSha}`,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: serializeCommit(services, repository, base),
    merge_base_commit: serializeCommit(services, repository, merge),
    status,
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    commits: paginate(c, commits).map((commit) => serializeCommit(services, repository, commit)),
    // Files come on the first page only.
    files:
      readPage(c).number === 1
        ? files.slice(0, MAX_COMPARE_FILES).map((file) => serializeFile(services.urls, repository, headSha, file))
        : [],
  };
}

/** https://docs.github.com/en/rest/commits/commits, https://docs.github.com/en/rest/branches/branches#merge-a-branch */
export function addCommitRoutes(routes: ApiRoutes, services: Services): void {
  const { urls, world } = services;

  routes.get("/repos/:owner/:repo/compare/:basehead{.+}", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    return c.json(await compareCommits(services, c, repository));
  });

  routes.get("/repos/:owner/:repo/commits", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const revision = await resolveRevision(repository, c.req.query("sha") ?? repository.defaultBranch);
    if (revision === null) throw notFound();
    const page = readPage(c);
    const commits = await listHistory(repository.git, revision, {
      skip: (page.number - 1) * page.size,
      count: page.size + 1,
      path: c.req.query("path") ?? null,
    });
    if (commits.length > page.size) {
      const url = new URL(c.req.url);
      url.searchParams.set("page", String(page.number + 1));
      c.header("link", `<${url.href}>; rel="next"`);
    }
    return c.json(commits.slice(0, page.size).map((commit) => serializeCommit(services, repository, commit)));
  });

  routes.get("/repos/:owner/:repo/commits/:ref{.+}", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const commit = await requireCommit(repository, readParam(c, "ref"));
    if ((c.req.header("accept") ?? "").includes("sha")) return c.text(commit.sha);
    const files = await diffTrees(repository.git, commit.parents[0] ?? EMPTY_TREE, commit.sha);
    const additions = files.reduce((sum, file) => sum + file.additions, 0);
    const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
    return c.json({
      ...serializeCommit(services, repository, commit),
      stats: { total: additions + deletions, additions, deletions },
      files: paginate(c, files).map((file) => serializeFile(urls, repository, commit.sha, file)),
    });
  });

  routes.post("/repos/:owner/:repo/merges", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const actor = readActor(c);
    const body = await readBody(c);
    const base = body.string("base");
    const head = body.string("head");
    const { git } = repository;
    const before = await readBranch(git, base);
    if (before === null) throw notFound("Base does not exist");
    const headSha = await resolveRevision(repository, head);
    if (headSha === null) throw notFound("Head does not exist");
    if (await isAncestor(git, headSha, before)) return c.body(null, 204);
    const merge = await mergeTrees(git, before, headSha);
    if (merge.outcome === "conflict") throw new HttpProblem(409, "Merge conflict");
    const message = body.optionalString("commit_message") ?? `Merge ${head} into ${base}`;
    if (message === "") throw validationFailed({ resource: "Merge", field: "commit_message", code: "missing_field" });
    const author = buildSignature(actor.account, world.now());
    const sha = await writeCommit(git, {
      tree: merge.tree,
      parents: [before, headSha],
      author,
      committer: { name: "GitHub", email: "noreply@github.com", at: author.at },
      message,
    });
    // GitHub signs the merges it makes.
    repository.signedCommits.add(sha);
    const change = { name: `refs/heads/${base}`, before, after: sha };
    await checkRules(repository, change);
    await checkWorkflowFiles(repository, actor, change);
    const written = await changeRef(services, repository, actor, change);
    if (!written.ok) throw new HttpProblem(409, "Merge conflict");
    const commit = await readCommit(git, sha);
    if (commit === null) throw notFound();
    return c.json(serializeCommit(services, repository, commit), 201);
  });
}
