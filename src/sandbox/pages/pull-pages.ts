import { html } from "hono/html";
import { listCommits } from "../git/history.ts";
import { loadPullFiles } from "../pulls/load-pull-files.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Pull } from "../state/pull.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { renderChecks } from "./check-list.ts";
import { renderCommitRow } from "./code-pages.ts";
import { renderDiff } from "./diff-view.ts";
import { renderLabels, renderOpening, renderState } from "./issue-pages.ts";
import { type Html, renderPage } from "./layout.ts";
import { renderTimeline } from "./timeline.ts";

function renderHead(repository: Repository, pull: Pull): Html {
  const issue = findPullIssue(repository, pull);
  const root = `/${formatFullName(repository)}/pull/${pull.number}`;
  return html`<h1>${issue.title} <span class="number">#${pull.number}</span></h1>
    <p>
      ${renderState(issue, pull)}
      <span class="meta"
        ><b>${issue.author.login}</b> wants to merge <code>${pull.headRef}</code> into
        <code>${pull.baseRef}</code></span
      >
      ${renderLabels(repository, issue)}
    </p>
    <nav class="tabs">
      <a href="${root}">Conversation</a><a href="${root}/commits">Commits</a><a href="${root}/files">Files changed</a>
    </nav>`;
}

const MERGEABILITY = {
  unknown: "Checking whether the branch can be merged…",
  clean: "This branch has no conflicts with the base branch.",
  conflict: "This branch has conflicts that must be resolved.",
} as const;

export function renderPullPage(services: Services, repository: Repository, pull: Pull): Html {
  const issue = findPullIssue(repository, pull);
  const content = html`${renderHead(repository, pull)} ${renderOpening(services, repository, issue)}
  ${renderTimeline(services, repository, pull.number)} ${renderChecks(services.world, repository, pull.headSha)}
  ${issue.state === "open" ? html`<p class="meta">${MERGEABILITY[pull.mergeability.state]}</p>` : ""}`;
  return renderPage(repository, "pulls", `${issue.title} · Pull Request #${pull.number}`, content);
}

export async function renderPullFiles(services: Services, repository: Repository, pull: Pull): Promise<Html> {
  const comments = [...repository.reviewComments.values()].filter((comment) => comment.pullNumber === pull.number);
  const files = await loadPullFiles(repository, pull);
  const content = html`${renderHead(repository, pull)} ${renderDiff(services, repository, files, comments)}`;
  return renderPage(repository, "pulls", `Files of #${pull.number}`, content);
}

export async function renderPullCommits(repository: Repository, pull: Pull): Promise<Html> {
  const commits = await listCommits(repository.git, pull.baseSha, pull.headSha);
  const rows = commits.map((commit) => renderCommitRow(repository, commit));
  const content = html`${renderHead(repository, pull)}
    <div class="box">${rows}</div>`;
  return renderPage(repository, "pulls", `Commits of #${pull.number}`, content);
}
