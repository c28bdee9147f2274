import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Account } from "../state/account.ts";
import { formatFullName, type Repository } from "../state/repository.ts";

/** A piece of HTML: text put into it is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export type Tab = "code" | "issues" | "pulls" | "actions" | "branches";

const TABS: readonly (readonly [Tab, string, string])[] = [
  ["code", "Code", ""],
  ["issues", "Issues", "/issues"],
  ["pulls", "Pull requests", "/pulls"],
  ["actions", "Actions", "/actions"],
  ["branches", "Branches", "/branches"],
];

/** The frame of a repository's page. */
export function renderPage(repository: Repository, tab: Tab, title: string, content: Html): Html {
  const root = `/${formatFullName(repository)}`;
  const tabs = TABS.map(
    ([id, name, path]) => html`<a href="${root}${path}" class="${id === tab ? "here" : ""}">${name}</a>`,
  );
  return renderDocument(
    `${title} · ${formatFullName(repository)}`,
    html`<header class="site">
        <div class="crumbs">
          <a href="/">${repository.owner.login}</a> / <a href="${root}">${repository.name}</a>
          <span class="note">local GitHub · nothing here leaves this machine</span>
        </div>
        <nav class="tabs">${tabs}</nav>
      </header>
      <main>${content}</main>`,
  );
}

/** A page outside any repository. */
export function renderDocument(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/_style.css" />
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** Text that is HTML already: only for what this folder's renderers have made. */
export function trusted(text: string): Html {
  return raw(text);
}

export function renderAccount(account: Account): Html {
  return html`<img class="avatar" src="/avatars/${account.id}" alt="" /><b>${account.login}</b>`;
}

export function renderTime(at: number): Html {
  const text = new Date(at).toISOString().slice(0, 19).replace("T", " ");
  return html`<time datetime="${new Date(at).toISOString()}">${text} UTC</time>`;
}

/** A sign for the state of a check or run. */
export function renderIcon(state: string | null): Html {
  switch (state) {
    case "success":
      return html`<span class="icon success">✓</span>`;
    case "failure":
    case "timed_out":
    case "startup_failure":
    case "action_required":
      return html`<span class="icon failure">✗</span>`;
    case "neutral":
    case "skipped":
    case "cancelled":
    case "stale":
      return html`<span class="icon neutral">◌</span>`;
    default:
      return html`<span class="icon pending">●</span>`;
  }
}
