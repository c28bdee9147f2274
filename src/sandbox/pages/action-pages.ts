import { html } from "hono/html";
import { encodePath } from "../serialize/serialize-git.ts";
import type { Services } from "../services.ts";
import type { CheckRun } from "../state/check.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import type { WorkflowRun } from "../state/workflow-run.ts";
import { type Html, renderIcon, renderPage, renderTime } from "./layout.ts";
import { renderBody } from "./markdown-box.ts";

/** Log lines beyond this are cut on the page. */
const MAX_LOG_LINES = 2000;

function renderRunRow(repository: Repository, run: WorkflowRun): Html {
  return html`<div class="row">
    ${renderIcon(run.conclusion ?? run.status)}
    <a href="/${formatFullName(repository)}/actions/runs/${run.id}"><b>${run.displayTitle}</b></a>
    <div class="meta">
      ${run.workflowName} #${run.number} · ${run.event} · <code>${run.headBranch}</code> · ${run.actor.login} ·
      ${renderTime(run.createdAt)}
    </div>
  </div>`;
}

export function renderRunsPage(repository: Repository): Html {
  const runs = [...repository.runs.values()].toReversed();
  const rows = runs.map((run) => renderRunRow(repository, run));
  const empty = html`<div class="row meta">No workflow runs yet.</div>`;
  return renderPage(repository, "actions", "Actions", html`<div class="box">${rows.length === 0 ? empty : rows}</div>`);
}

export function renderRunPage(repository: Repository, run: WorkflowRun): Html {
  const root = `/${formatFullName(repository)}`;
  const jobs = [...repository.jobs.values()].filter((job) => job.runId === run.id);
  const artifacts = [...repository.artifacts.values()].filter((artifact) => artifact.runId === run.id);
  const content = html`<h1>${renderIcon(run.conclusion ?? run.status)} ${run.displayTitle}</h1>
    <p class="meta">
      ${run.workflowName} #${run.number} · ${run.event} by ${run.actor.login} · <code>${run.headBranch}</code> at
      <a class="mono" href="${root}/commit/${run.headSha}">${run.headSha.slice(0, 7)}</a> ·
      ${run.conclusion ?? run.status.replace("_", " ")} · ${renderTime(run.createdAt)}
    </p>
    ${jobs.map(
      (job) =>
        html`<div class="box" id="job-${job.id}">
          <div class="head">
            ${renderIcon(job.conclusion ?? job.status)} <b>${job.name}</b> · ${renderTime(job.startedAt)}
          </div>
          <pre class="log">${job.log.slice(-MAX_LOG_LINES).join("\n")}</pre>
        </div>`,
    )}
    ${
      artifacts.length === 0
        ? ""
        : html`<div class="box">
            <div class="head"><b>Artifacts</b></div>
            ${artifacts.map((artifact) => html`<div class="row">${artifact.name} <span class="meta">${artifact.size} bytes</span></div>`)}
          </div>`
    }`;
  return renderPage(repository, "actions", run.displayTitle, content);
}

export function renderCheckPage(services: Services, repository: Repository, run: CheckRun): Html {
  const root = `/${formatFullName(repository)}`;
  const app = services.world.findApp(run.appId);
  const annotations = run.annotations.map(
    (annotation) =>
      html`<div class="annotation ${annotation.annotation_level}">
        <a class="mono" href="${root}/blob/${run.headSha}/${encodePath(annotation.path)}#L${annotation.start_line}"
          >${annotation.path}:${annotation.start_line}</a
        >
        ${annotation.title === null ? "" : html`<b>${annotation.title}</b>`}
        <div>${annotation.message}</div>
        ${annotation.raw_details === null ? "" : html`<pre>${annotation.raw_details}</pre>`}
      </div>`,
  );
  const job = repository.jobs.get(run.id);
  const content = html`<h1>${renderIcon(run.conclusion ?? run.status)} ${run.name}</h1>
    <p class="meta">
      ${app?.name} · ${run.conclusion ?? run.status.replace("_", " ")} ·
      <a class="mono" href="${root}/commit/${run.headSha}">${run.headSha.slice(0, 7)}</a>
      ${job === undefined ? "" : html`· <a href="${root}/actions/runs/${job.runId}#job-${job.id}">log</a>`}
    </p>
    <div class="box">
      <div class="head"><b>${run.title ?? "No output"}</b></div>
      ${run.summary === null ? "" : html`<div class="body">${renderBody(services, repository, run.summary)}</div>`}
      ${run.text === null ? "" : html`<div class="row">${renderBody(services, repository, run.text)}</div>`}
    </div>
    ${annotations}`;
  return renderPage(repository, "pulls", run.name, content);
}
