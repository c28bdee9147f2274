import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { readCommit } from "../git/commit-object.ts";
import type { Services } from "../services.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { renderCheckPage, renderRunPage, renderRunsPage } from "./action-pages.ts";
import {
  renderBlobPage,
  renderBranchesPage,
  renderCommitPage,
  renderHistoryPage,
  renderTreePage,
  resolveRefPath,
} from "./code-pages.ts";
import { renderIssuePage, renderList } from "./issue-pages.ts";
import { type Html, renderDocument } from "./layout.ts";
import { renderPullCommits, renderPullFiles, renderPullPage } from "./pull-pages.ts";
import { STYLE } from "./style.ts";

/** Pages run nothing: no script, pictures from here or inline. */
const POLICY = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

type Show = (repository: Repository, c: Context) => Html | null | Promise<Html | null>;

/** A picture for every account: its colour comes from its number. */
function renderAvatar(id: number): string {
  const hue = (id * 47) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 5"><rect width="5" height="5" fill="hsl(${hue} 60% 88%)"/><circle cx="2.5" cy="2" r="1" fill="hsl(${hue} 50% 45%)"/><path d="M.8 5a1.7 1.7 0 0 1 3.4 0z" fill="hsl(${hue} 50% 45%)"/></svg>`;
}

function renderHome(services: Services): Html {
  const rows = [...services.world.repositories.values()].map(
    (repository) =>
      html`<div class="row">
        <a href="/${formatFullName(repository)}"><b>${formatFullName(repository)}</b></a>
        <div class="meta">${repository.description}</div>
      </div>`,
  );
  return renderDocument(
    "Local GitHub",
    html`<main>
      <h1>Repositories</h1>
      <div class="box">${rows}</div>
    </main>`,
  );
}

/** The addresses GitHub gives to people, as plain pages. */
export function addPages(site: Hono, services: Services): void {
  const show = (path: string, render: Show): void => {
    site.get(path, async (c) => {
      const repository = services.world.findRepository(c.req.param("owner") ?? "", c.req.param("repo") ?? "");
      const page = repository === null ? null : await render(repository, c);
      if (page === null)
        return c.html(
          renderDocument(
            "Not found",
            html`<main>
              <h1>404</h1>
              <p>There is no such page.</p>
            </main>`,
          ),
          404,
        );
      c.header("content-security-policy", POLICY);
      return c.html(page);
    });
  };
  const number = (c: Context, name: string) => Number(c.req.param(name));

  site.get("/_style.css", (c) => c.body(STYLE, 200, { "content-type": "text/css" }));
  site.get("/avatars/:id", (c) =>
    c.body(renderAvatar(Number(c.req.param("id"))), 200, { "content-type": "image/svg+xml" }),
  );
  site.get("/_signed/logs/:job", (c) => {
    const id = Number(c.req.param("job"));
    const job = [...services.world.repositories.values()]
      .map(({ jobs }) => jobs.get(id))
      .find((found) => found !== undefined);
    return job === undefined ? c.text("Not Found", 404) : c.text(job.log.join("\n"));
  });
  site.get("/", (c) => c.html(renderHome(services)));

  show("/:owner/:repo", async (repository) => {
    const place = await resolveRefPath(repository, repository.defaultBranch);
    return place === null ? null : renderTreePage(services, repository, place);
  });
  show("/:owner/:repo/issues", (repository) => renderList(repository, "issues"));
  show("/:owner/:repo/pulls", (repository) => renderList(repository, "pulls"));
  show("/:owner/:repo/actions", (repository) => renderRunsPage(repository));
  show("/:owner/:repo/branches", (repository) => renderBranchesPage(repository));
  show("/:owner/:repo/issues/:number", (repository, c) => {
    const issue = repository.issues.get(number(c, "number"));
    const pull = repository.pulls.get(number(c, "number"));
    if (pull !== undefined) return renderPullPage(services, repository, pull);
    return issue === undefined ? null : renderIssuePage(services, repository, issue);
  });
  show("/:owner/:repo/pull/:number", (repository, c) => {
    const pull = repository.pulls.get(number(c, "number"));
    return pull === undefined ? null : renderPullPage(services, repository, pull);
  });
  show("/:owner/:repo/pull/:number/files", (repository, c) => {
    const pull = repository.pulls.get(number(c, "number"));
    return pull === undefined ? null : renderPullFiles(services, repository, pull);
  });
  show("/:owner/:repo/pull/:number/commits", (repository, c) => {
    const pull = repository.pulls.get(number(c, "number"));
    return pull === undefined ? null : renderPullCommits(repository, pull);
  });
  const showRun: Show = (repository, c) => {
    const run = repository.runs.get(number(c, "run"));
    return run === undefined ? null : renderRunPage(repository, run);
  };
  show("/:owner/:repo/actions/runs/:run", showRun);
  show("/:owner/:repo/actions/runs/:run/job/:job", showRun);
  show("/:owner/:repo/runs/:check", (repository, c) => {
    const run = repository.checkRuns.get(number(c, "check"));
    return run === undefined ? null : renderCheckPage(services, repository, run);
  });
  show("/:owner/:repo/commit/:sha", async (repository, c) => {
    const commit = await readCommit(repository.git, c.req.param("sha") ?? "");
    return commit === null ? null : renderCommitPage(services, repository, commit);
  });
  show("/:owner/:repo/commits/:rest{.+}", async (repository, c) => {
    const place = await resolveRefPath(repository, c.req.param("rest") ?? "");
    return place === null ? null : renderHistoryPage(repository, place.commit.sha);
  });
  show("/:owner/:repo/tree/:rest{.+}", async (repository, c) => {
    const place = await resolveRefPath(repository, c.req.param("rest") ?? "");
    return place === null ? null : renderTreePage(services, repository, place);
  });
  show("/:owner/:repo/blob/:rest{.+}", async (repository, c) => {
    const place = await resolveRefPath(repository, c.req.param("rest") ?? "");
    return place === null ? null : renderBlobPage(services, repository, place);
  });
  site.get("/:owner/:repo/raw/:rest{.+}", async (c) => {
    const repository = services.world.findRepository(c.req.param("owner"), c.req.param("repo"));
    const place = repository === null ? null : await resolveRefPath(repository, c.req.param("rest"));
    const blob = place === null ? null : await repository?.git.objects.read(`${place.commit.sha}:${place.path}`);
    if (blob === null || blob === undefined || blob.type !== "blob") return c.text("404: Not Found", 404);
    return c.body(new Uint8Array(blob.content), 200, {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
  });
}
