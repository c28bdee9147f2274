import { html } from "hono/html";
import { listLatestChecks } from "../serialize/serialize-check.ts";
import type { CheckRun } from "../state/check.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import type { World } from "../state/world.ts";
import { type Html, renderIcon } from "./layout.ts";

/** The newest checks on a commit, without those of dispatched runs, which do not count there. */
function listChecks(repository: Repository, sha: string): CheckRun[] {
  const runs = [...repository.checkRuns.values()].filter(
    (run) => run.headSha === sha && repository.checkSuites.get(run.suiteId)?.countsOnPulls !== false,
  );
  return listLatestChecks(runs);
}

/** The box of checks and statuses under a pull request. */
export function renderChecks(world: World, repository: Repository, sha: string): Html {
  const checks = listChecks(repository, sha);
  const statuses = [
    ...new Map(
      repository.statuses.filter((status) => status.sha === sha).map((status) => [status.context, status]),
    ).values(),
  ];
  const total = checks.length + statuses.length;
  const rows = [
    ...checks.map(
      (run) =>
        html`<div class="row">
          ${renderIcon(run.conclusion ?? run.status)}
          <b><a href="/${formatFullName(repository)}/runs/${run.id}">${run.name}</a></b>
          <span class="meta"
            >${run.title ?? run.conclusion ?? run.status.replace("_", " ")} · ${world.findApp(run.appId)?.name}</span
          >
        </div>`,
    ),
    ...statuses.map(
      (status) =>
        html`<div class="row">
          ${renderIcon(status.state)} <b>${status.context}</b>
          <span class="meta">${status.description ?? status.state}</span>
        </div>`,
    ),
  ];
  return html`<div class="box">
    <div class="head">
      <b>${total === 0 ? "No checks" : `${total} check${total === 1 ? "" : "s"}`}</b> on
      <a class="mono" href="/${formatFullName(repository)}/commit/${sha}">${sha.slice(0, 7)}</a>
    </div>
    ${rows}
  </div>`;
}
