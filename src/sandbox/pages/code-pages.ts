import { html } from "hono/html";
import { type Commit, readCommit } from "../git/commit-object.ts";
import { diffTrees } from "../git/diff.ts";
import { listHistory } from "../git/history.ts";
import { listRefs } from "../git/refs.ts";
import { listTree } from "../git/list-tree.ts";
import { encodePath } from "../serialize/serialize-git.ts";
import type { Services } from "../services.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { renderChecks } from "./check-list.ts";
import { renderDiff } from "./diff-view.ts";
import { type Html, renderPage, renderTime } from "./layout.ts";
import { renderBody } from "./markdown-box.ts";

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const MAX_SHOWN_BYTES = 512 * 1024;

export function renderCommitRow(repository: Repository, commit: Commit): Html {
  const root = `/${formatFullName(repository)}`;
  return html`<div class="row">
    <a href="${root}/commit/${commit.sha}"><b>${commit.message.split("\n")[0]}</b></a>
    <span class="right"><a class="mono" href="${root}/commit/${commit.sha}">${commit.sha.slice(0, 7)}</a></span>
    <div class="meta">${commit.author.name} · ${renderTime(commit.committer.at)}</div>
  </div>`;
}

export async function renderCommitPage(services: Services, repository: Repository, commit: Commit): Promise<Html> {
  const files = await diffTrees(repository.git, commit.parents[0] ?? EMPTY_TREE, commit.sha);
  const root = `/${formatFullName(repository)}`;
  const [title, ...rest] = commit.message.split("\n");
  const parents = commit.parents.map(
    (sha) => html` <a class="mono" href="${root}/commit/${sha}">${sha.slice(0, 7)}</a>`,
  );
  const content = html`<h1>${title}</h1>
    <pre>${rest.join("\n").trim()}</pre>
    <p class="meta">
      ${commit.author.name} · ${renderTime(commit.committer.at)} · commit <span class="mono">${commit.sha}</span> ·
      ${commit.parents.length === 1 ? "parent" : "parents"}${parents} ·
      <a href="${root}/tree/${commit.sha}">browse files</a>
    </p>
    ${renderChecks(services.world, repository, commit.sha)} ${renderDiff(services, repository, files)}`;
  return renderPage(repository, "code", title ?? commit.sha, content);
}

/** Splits `<ref>/<path>`; refs hold slashes, so the longest ref that exists wins. */
export async function resolveRefPath(
  repository: Repository,
  text: string,
): Promise<{ readonly ref: string; readonly path: string; readonly commit: Commit } | null> {
  const parts = text.split("/").filter((part) => part !== "");
  for (let length = parts.length; length > 0; length -= 1) {
    const ref = parts.slice(0, length).join("/");
    for (const name of [`refs/heads/${ref}`, `refs/tags/${ref}`, ...(length === 1 ? [ref] : [])]) {
      const commit = await readCommit(repository.git, name);
      if (commit !== null) return { ref, path: parts.slice(length).join("/"), commit };
    }
  }
  return null;
}

export async function renderTreePage(
  services: Services,
  repository: Repository,
  place: { readonly ref: string; readonly path: string; readonly commit: Commit },
): Promise<Html | null> {
  const root = `/${formatFullName(repository)}`;
  const entries = await listTree(repository.git, `${place.commit.sha}:${place.path}`, "shallow");
  if (entries === null) return null;
  const sorted = entries.toSorted((a, b) => Number(b.type === "tree") - Number(a.type === "tree"));
  const prefix = place.path === "" ? "" : `${place.path}/`;
  const rows = sorted.map((entry) => {
    const folder = entry.type === "tree";
    const href = `${root}/${folder ? "tree" : "blob"}/${place.ref}/${encodePath(prefix + entry.path)}`;
    return html`<div class="row">${folder ? "📁" : "📄"} <a href="${href}">${entry.path}</a></div>`;
  });
  const readme = sorted.find((entry) => /^readme\.md$/i.test(entry.path));
  const blob = readme === undefined ? null : await repository.git.objects.read(readme.sha);
  const content = html`<p class="meta">
      <a href="${root}/branches"><code>${place.ref}</code></a> · <a href="${root}/commits/${place.ref}">history</a>
      ${place.path === "" ? "" : html`· <b>${place.path}</b>`}
    </p>
    <div class="box">${renderCommitRow(repository, place.commit)}${rows}</div>
    ${
      blob === null
        ? ""
        : html`<div class="box">
            <div class="body">${renderBody(services, repository, blob.content.toString())}</div>
          </div>`
    }`;
  return renderPage(repository, "code", place.path === "" ? formatFullName(repository) : place.path, content);
}

export async function renderBlobPage(
  services: Services,
  repository: Repository,
  place: { readonly ref: string; readonly path: string; readonly commit: Commit },
): Promise<Html | null> {
  const blob = await repository.git.objects.read(`${place.commit.sha}:${place.path}`);
  if (blob === null || blob.type !== "blob") return null;
  const binary = blob.content.includes(0) || blob.content.length > MAX_SHOWN_BYTES;
  const lines = binary ? [] : blob.content.toString().replace(/\n$/, "").split("\n");
  const code = html`<table class="code">
    ${lines.map(
      (line, index) =>
        html`<tr id="L${index + 1}">
          <td class="n">${index + 1}</td>
          <td>${line}</td>
        </tr>`,
    )}
  </table>`;
  const markdown = place.path.endsWith(".md") && !binary;
  const raw = `/${formatFullName(repository)}/raw/${place.ref}/${encodePath(place.path)}`;
  const content = html`<p class="meta"><code>${place.ref}</code> · <b>${place.path}</b> · <a href="${raw}">raw</a></p>
    ${
      markdown
        ? html`<div class="box">
            <div class="body">${renderBody(services, repository, blob.content.toString())}</div>
          </div>`
        : ""
    }
    <div class="box">
      ${binary ? html`<div class="body meta">${blob.content.length} bytes, not shown.</div>` : code}
    </div>`;
  return renderPage(repository, "code", place.path, content);
}

export async function renderHistoryPage(repository: Repository, revision: string): Promise<Html> {
  const commits = await listHistory(repository.git, revision, { skip: 0, count: 100, path: null });
  const rows = commits.map((commit) => renderCommitRow(repository, commit));
  return renderPage(repository, "code", "Commits", html`<div class="box">${rows}</div>`);
}

export async function renderBranchesPage(repository: Repository): Promise<Html> {
  const root = `/${formatFullName(repository)}`;
  const refs = await listRefs(repository.git, "refs/heads/");
  const rows = refs.map((ref) => {
    const name = ref.name.slice("refs/heads/".length);
    return html`<div class="row">
      <a href="${root}/tree/${encodePath(name)}"><code>${name}</code></a>
      ${name === repository.defaultBranch ? html`<span class="label">default</span>` : ""}
      <span class="right"><a class="mono" href="${root}/commit/${ref.sha}">${ref.sha.slice(0, 7)}</a></span>
    </div>`;
  });
  return renderPage(repository, "branches", "Branches", html`<div class="box">${rows}</div>`);
}
