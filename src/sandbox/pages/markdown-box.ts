import { html } from "hono/html";
import type { Services } from "../services.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { type Html, trusted } from "./layout.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** A body as GitHub shows it; HTML comments (markers) are invisible there too. */
export function renderBody(services: Services, repository: Repository, text: string | null): Html {
  if (text === null || text.trim() === "") return html`<em class="meta">No description provided.</em>`;
  const context = { page: `/${formatFullName(repository)}`, site: services.urls.html };
  return html`<div class="markdown">${trusted(renderMarkdown(text, context))}</div>`;
}
