import { html } from "hono/html";
import { listLabels } from "../serialize/serialize-issue.ts";
import type { Services } from "../services.ts";
import type { Issue } from "../state/issue.ts";
import type { Pull } from "../state/pull.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { type Html, renderAccount, renderPage, renderTime } from "./layout.ts";
import { renderBody } from "./markdown-box.ts";
import { renderTimeline } from "./timeline.ts";

export function renderLabels(repository: Repository, issue: Issue): readonly Html[] {
  return listLabels(repository, issue).map((label) => html`<span class="label">${label.name}</span>`);
}

export function renderState(issue: Issue, pull: Pull | undefined): Html {
  if (pull?.mergedAt !== undefined && pull.mergedAt !== null) return html`<span class="state merged">Merged</span>`;
  if (issue.state === "closed") {
    return html`<span class="state ${pull === undefined ? "done" : "closed"}">Closed</span>`;
  }
  return pull?.draft === true
    ? html`<span class="state draft">Draft</span>`
    : html`<span class="state open">Open</span>`;
}

/** The first post of an issue or pull request. */
export function renderOpening(services: Services, repository: Repository, issue: Issue): Html {
  return html`<div class="box">
    <div class="head">${renderAccount(issue.author)} opened this ${renderTime(issue.createdAt)}</div>
    <div class="body">${renderBody(services, repository, issue.body)}</div>
  </div>`;
}

export function renderIssuePage(services: Services, repository: Repository, issue: Issue): Html {
  const content = html`<h1>${issue.title} <span class="number">#${issue.number}</span></h1>
    <p>${renderState(issue, undefined)} ${renderLabels(repository, issue)}</p>
    ${renderOpening(services, repository, issue)} ${renderTimeline(services, repository, issue.number)}`;
  return renderPage(repository, "issues", `${issue.title} · Issue #${issue.number}`, content);
}

/** Issues, or pull requests, newest first. */
export function renderList(repository: Repository, kind: "issues" | "pulls"): Html {
  const issues = [...repository.issues.values()]
    .filter(({ number }) => repository.pulls.has(number) === (kind === "pulls"))
    .toReversed();
  const folder = kind === "pulls" ? "pull" : "issues";
  const rows = issues.map((issue) => {
    const pull = repository.pulls.get(issue.number);
    return html`<div class="row">
      ${renderState(issue, pull)}
      <a href="/${formatFullName(repository)}/${folder}/${issue.number}"><b>${issue.title}</b></a>
      ${renderLabels(repository, issue)}
      <span class="meta"
        >#${issue.number} by ${issue.author.login}
        ${pull === undefined ? "" : html`· <code>${pull.baseRef}</code> ← <code>${pull.headRef}</code>`}</span
      >
    </div>`;
  });
  const title = kind === "pulls" ? "Pull requests" : "Issues";
  return renderPage(
    repository,
    kind,
    title,
    html`<div class="box">${rows.length === 0 ? html`<div class="row meta">Nothing here yet.</div>` : rows}</div>`,
  );
}
