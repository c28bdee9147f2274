import { type ApiContext, type ApiRoutes, NEED, enter } from "../http/api-context.ts";
import { forbidden, notFound } from "../http-problem.ts";
import { readCommit } from "../git/commit-object.ts";
import { type TreeEntry, listTree } from "../git/list-tree.ts";
import { encodePath } from "../serialize/serialize-git.ts";
import { formatRepositoryPage, formatRepositoryUrl } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import type { Urls } from "../view.ts";

const MB = 1024 * 1024;

/** A branch, tag or SHA as people write it. */
export async function resolveRevision(repository: Repository, revision: string): Promise<string | null> {
  for (const candidate of [`refs/heads/${revision}`, `refs/tags/${revision}`, revision]) {
    const commit = await readCommit(repository.git, candidate);
    if (commit !== null) return commit.sha;
  }
  return null;
}

function buildEntry(
  urls: Urls,
  repository: Repository,
  ref: string,
  path: string,
  entry: Pick<TreeEntry, "type" | "mode" | "sha" | "size">,
) {
  const url = `${formatRepositoryUrl(urls, repository)}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`;
  const folder = entry.type === "tree" ? "trees" : "blobs";
  const gitUrl = entry.type === "commit" ? null : `${formatRepositoryUrl(urls, repository)}/git/${folder}/${entry.sha}`;
  const page = `${formatRepositoryPage(urls, repository)}/${entry.type === "tree" ? "tree" : "blob"}/${ref}/${encodePath(path)}`;
  const type =
    entry.type === "tree"
      ? "dir"
      : entry.type === "commit"
        ? "submodule"
        : entry.mode === "120000"
          ? "symlink"
          : "file";
  return {
    name: path.split("/").at(-1) ?? "",
    path,
    sha: entry.sha,
    size: entry.size ?? 0,
    type,
    url,
    html_url: page,
    git_url: gitUrl,
    download_url: type === "file" ? `${formatRepositoryPage(urls, repository)}/raw/${ref}/${encodePath(path)}` : null,
    _links: { self: url, git: gitUrl, html: page },
  };
}

/** https://docs.github.com/en/rest/repos/contents#get-repository-content */
export function addContentsRoutes(routes: ApiRoutes, services: Services): void {
  const { urls } = services;

  const show = async (c: ApiContext): Promise<Response> => {
    const repository = enter(services, c, NEED.readContents);
    const path = (c.req.param("path" as never) ?? "").replace(/\/+$/, "");
    const ref = c.req.query("ref") ?? repository.defaultBranch;
    const revision = await resolveRevision(repository, ref);
    if (revision === null) throw notFound(`No commit found for the ref ${ref}`);
    const accept = c.req.header("accept") ?? "";
    const object = await repository.git.objects.read(path === "" ? `${revision}^{tree}` : `${revision}:${path}`);
    if (object === null) throw notFound();
    if (object.type === "tree") {
      const entries = (await listTree(repository.git, object.sha, "shallow")) ?? [];
      const prefix = path === "" ? "" : `${path}/`;
      return c.json(entries.map((entry) => buildEntry(urls, repository, ref, `${prefix}${entry.path}`, entry)));
    }
    if (accept.includes("raw")) {
      return c.body(new Uint8Array(object.content), 200, {
        "content-type": "application/vnd.github.raw; charset=utf-8",
      });
    }
    const size = object.content.length;
    if (size > 100 * MB) throw forbidden("This API returns blobs up to 100 MB in size.");
    // Between 1 and 100 MB only the raw media type has the content.
    const small = size <= MB;
    return c.json({
      ...buildEntry(urls, repository, ref, path, { type: "blob", mode: "100644", sha: object.sha, size }),
      content: small ? object.content.toString("base64").replace(/.{60}/g, "$&\n") : "",
      encoding: small ? "base64" : "none",
    });
  };
  routes.get("/repos/:owner/:repo/contents", show);
  routes.get("/repos/:owner/:repo/contents/:path{.*}", show);
}
