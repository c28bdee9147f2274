/** The pages of the way from a manifest to an App (plain HTML, no script). */
import { STATUS_CODES } from "node:http";
import type { Manifest } from "./manifest.ts";

export interface Page {
  readonly status: number;
  readonly html: string;
}

/** A button that hands the manifest to GitHub, which shows it and asks for a name. */
export function buildStartPage(action: string, manifest: Manifest): Page {
  const rows = Object.entries(manifest.default_permissions).map(
    ([name, level]) => `<li>${escapeHtml(`${name}: ${level}`)}</li>`,
  );
  const body = [
    `<p>GitHub will create an App with these permissions in a repository it is installed on:</p>`,
    `<ul>${rows.join("")}</ul>`,
    `<p>It will be told of: ${escapeHtml(manifest.default_events.join(", "))}.</p>`,
    `<p>Deliveries go to <code>${escapeHtml(manifest.hook_attributes.url)}</code>.</p>`,
    `<form method="post" action="${escapeHtml(action)}">`,
    `<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">`,
    `<button>Create the App on GitHub</button>`,
    `</form>`,
  ];
  return { status: 200, html: buildPage("Taskfleet: register the App", body) };
}

export function buildDonePage(name: string, install: string): Page {
  const body = [
    `<p>${escapeHtml(name)} exists. Its key and its webhook's secret are on the machine that showed this page.</p>`,
    `<p><a href="${escapeHtml(install)}">Install it on repositories</a></p>`,
  ];
  return { status: 201, html: buildPage("Taskfleet: the App is registered", body) };
}

export function buildRefusal(status: number, why: string): Page {
  return { status, html: buildPage(STATUS_CODES[status] ?? "", [`<p>${escapeHtml(why)}</p>`]) };
}

function buildPage(title: string, body: readonly string[]): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body.join("")}</html>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
