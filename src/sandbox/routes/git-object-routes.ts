import { type ApiRoutes, NEED, enter, readActor, readParam } from "../http/api-context.ts";
import { type Body, readBody } from "../http/read-body.ts";
import { notFound, unprocessable, validationFailed } from "../http-problem.ts";
import { WEB_FLOW, buildSignature } from "../git/actor-signature.ts";
import { type Signature, readCommit, writeCommit } from "../git/commit-object.ts";
import { type TreeEntry, listTree } from "../git/list-tree.ts";
import { writeObject } from "../git/write-object.ts";
import { type TreeEdit, writeTree } from "../git/write-tree.ts";
import { checkTreePaths } from "../refs/check-ref-rules.ts";
import { serializeGitCommit } from "../serialize/serialize-git.ts";
import { formatRepositoryUrl } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Repository } from "../state/repository.ts";
import type { Schema, Urls } from "../view.ts";

/** https://docs.github.com/en/rest/git/trees#get-a-tree: at most 100,000 entries, 7 MB. */
const MAX_TREE_ENTRIES = 100_000;
/** https://docs.github.com/en/rest/git/blobs#get-a-blob */
const MAX_BLOB_BYTES = 100 * 1024 * 1024;

const MODES = ["100644", "100755", "040000", "160000", "120000"] as const;
const TYPE_OF_MODE: Readonly<Record<(typeof MODES)[number], TreeEntry["type"]>> = {
  "100644": "blob",
  "100755": "blob",
  "120000": "blob",
  "040000": "tree",
  "160000": "commit",
};

function serializeTree(
  urls: Urls,
  repository: Repository,
  sha: string,
  entries: readonly TreeEntry[],
): Schema<"git-tree"> {
  const root = `${formatRepositoryUrl(urls, repository)}/git`;
  return {
    sha,
    url: `${root}/trees/${sha}`,
    tree: entries.slice(0, MAX_TREE_ENTRIES).map((entry) => ({
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      sha: entry.sha,
      ...(entry.size === null ? {} : { size: entry.size }),
      ...(entry.type === "commit" ? {} : { url: `${root}/${entry.type}s/${entry.sha}` }),
    })),
    truncated: entries.length > MAX_TREE_ENTRIES,
  };
}

function checkTreePath(path: string): void {
  const parts = path.split("/");
  const bad =
    path === "" || parts.some((part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part));
  if (bad || path.includes("\0")) throw unprocessable("tree.path contains a malformed path component");
}

async function parseTreeEdit(repository: Repository, item: Body): Promise<TreeEdit> {
  const path = item.string("path");
  checkTreePath(path);
  const mode = item.optionalChoice("mode", MODES);
  const content = item.optionalString("content");
  // One or the other. https://docs.github.com/en/rest/git/trees#create-a-tree
  if (content !== null && item.raw("sha") !== undefined) throw unprocessable("Must supply tree.sha or tree.content");
  if (content !== null) {
    const sha = await writeObject(repository.git, "blob", Buffer.from(content));
    return { path, entry: { mode: mode ?? "100644", sha } };
  }
  // `sha: null` deletes.
  if (item.raw("sha") === null) return { path, entry: null };
  const sha = item.optionalString("sha");
  if (sha === null) throw unprocessable("Must supply tree.sha or tree.content");
  if (mode === null) throw unprocessable("Must supply a valid tree.mode");
  if (mode !== "160000") {
    const object = await repository.git.objects.read(sha);
    if (object === null || object.type !== TYPE_OF_MODE[mode]) {
      throw unprocessable(`tree.sha ${sha} is not a valid ${TYPE_OF_MODE[mode]}`);
    }
  }
  return { path, entry: { mode, sha } };
}

function parseSignature(body: Body | null, fallback: Signature): Signature {
  if (body === null) return fallback;
  const date = body.optionalString("date");
  const at = date === null ? fallback.at : Date.parse(date);
  if (Number.isNaN(at)) throw unprocessable("Invalid date");
  return { name: body.string("name"), email: body.string("email"), at };
}

/** https://docs.github.com/en/rest/git/blobs, …/trees, …/commits */
export function addGitObjectRoutes(routes: ApiRoutes, services: Services): void {
  const { urls, world } = services;

  routes.get("/repos/:owner/:repo/git/blobs/:sha", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const sha = readParam(c, "sha");
    const object = /^[0-9a-f]{40}$/.test(sha) ? await repository.git.objects.read(sha) : null;
    if (object === null || object.type !== "blob") throw notFound();
    if ((c.req.header("accept") ?? "").includes("raw")) {
      return c.body(new Uint8Array(object.content), 200, {
        "content-type": "application/vnd.github.raw; charset=utf-8",
      });
    }
    const blob: Schema<"blob"> = {
      sha,
      node_id: formatNodeId("B", `${repository.id}:${sha}`),
      size: object.content.length,
      url: `${formatRepositoryUrl(urls, repository)}/git/blobs/${sha}`,
      content: object.content.toString("base64").replace(/.{60}/g, "$&\n"),
      encoding: "base64",
    };
    return c.json(blob);
  });

  routes.post("/repos/:owner/:repo/git/blobs", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const body = await readBody(c);
    const encoding = body.optionalChoice("encoding", ["utf-8", "base64"]) ?? "utf-8";
    const content = Buffer.from(body.string("content"), encoding === "base64" ? "base64" : "utf8");
    if (content.length > MAX_BLOB_BYTES) throw unprocessable("Blob is too large");
    const sha = await writeObject(repository.git, "blob", content);
    return c.json({ sha, url: `${formatRepositoryUrl(urls, repository)}/git/blobs/${sha}` }, 201);
  });

  routes.get("/repos/:owner/:repo/git/trees/:sha{.+}", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const name = readParam(c, "sha");
    const object = await repository.git.objects.read(`${name}^{tree}`);
    const depth = c.req.query("recursive") === undefined ? "shallow" : "recursive";
    const entries = object === null ? null : await listTree(repository.git, object.sha, depth);
    if (object === null || entries === null) throw notFound();
    return c.json(serializeTree(urls, repository, object.sha, entries));
  });

  routes.post("/repos/:owner/:repo/git/trees", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const body = await readBody(c);
    const items = body.optionalObjects("tree");
    if (items === null) throw unprocessable(`Invalid request.\n\n"tree" wasn't supplied.`);
    checkTreePaths(
      readActor(c),
      items.map((item) => item.string("path")),
    );
    const named = body.optionalString("base_tree");
    const base = named === null ? null : await repository.git.objects.read(`${named}^{tree}`);
    if (named !== null && base === null) throw notFound();
    const edits = await Promise.all(items.map((item) => parseTreeEdit(repository, item)));
    if (base !== null) {
      for (const edit of edits.filter(({ entry }) => entry === null)) {
        // What is not there cannot be deleted. https://github.com/orgs/community/discussions/68450
        if ((await repository.git.objects.read(`${base.sha}:${edit.path}`)) === null) {
          throw unprocessable("GitRPC::BadObjectState");
        }
      }
    }
    const sha = await writeTree(repository.git, base?.sha ?? null, edits);
    const entries = (await listTree(repository.git, sha, "shallow")) ?? [];
    return c.json(serializeTree(urls, repository, sha, entries), 201);
  });

  routes.get("/repos/:owner/:repo/git/commits/:sha", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const sha = readParam(c, "sha");
    const commit = /^[0-9a-f]{40}$/.test(sha) ? await readCommit(repository.git, sha) : null;
    if (commit === null) throw notFound();
    return c.json(serializeGitCommit(urls, repository, commit));
  });

  routes.post("/repos/:owner/:repo/git/commits", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const actor = readActor(c);
    const body = await readBody(c);
    const tree = body.string("tree");
    const parents = body.optionalStrings("parents") ?? [];
    if ((await repository.git.objects.read(tree))?.type !== "tree") throw unprocessable("Tree SHA does not exist");
    for (const parent of parents) {
      if ((await repository.git.objects.read(parent))?.type !== "commit") {
        throw unprocessable("Parent SHA does not exist or is not a commit object");
      }
    }
    const at = world.now();
    // A bot that names nobody gets its commit signed, and then GitHub is the committer.
    const signed = actor.account.type === "Bot" && !body.has("author") && !body.has("committer");
    const author = parseSignature(body.optionalObject("author"), buildSignature(actor.account, at));
    const committer = parseSignature(body.optionalObject("committer"), signed ? { ...WEB_FLOW, at } : author);
    const message = body.string("message");
    if (message === "") throw validationFailed({ resource: "Commit", field: "message", code: "missing_field" });
    const sha = await writeCommit(repository.git, { tree, parents, author, committer, message });
    if (signed) repository.signedCommits.add(sha);
    const commit = await readCommit(repository.git, sha);
    if (commit === null) throw notFound();
    return c.json(serializeGitCommit(urls, repository, commit), 201);
  });
}
