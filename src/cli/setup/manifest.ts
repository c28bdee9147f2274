/** What GitHub is asked to make of us: app.yml, with the addresses that only the place knows. */
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { UserError } from "../../contracts/errors.ts";

const WEBHOOK_PATH = "/api/github/webhooks";

export interface Manifest {
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
  readonly hook_attributes: { readonly url: string; readonly active: true };
  readonly redirect_url: string;
}

/**
 * @param webhook where deliveries go
 * @param redirect where GitHub sends the person back to, with the code that stands for the new App
 */
export async function loadManifest(webhook: string, redirect: string): Promise<Manifest> {
  const file = parse(await readFile(new URL("../../../app.yml", import.meta.url), "utf8")) as Manifest;
  return { ...file, hook_attributes: { url: webhook, active: true }, redirect_url: redirect };
}

/**
 * The address for deliveries; of a host alone it is where the App listens.
 *
 * @throws UserError when it is no address GitHub could deliver to.
 */
export function parseWebhook(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const bare = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === null || !bare || !["https:", "http:"].includes(url.protocol))
    throw new UserError(`${given} is no address for a webhook: write it as https://HOST${WEBHOOK_PATH}.`);
  return url.pathname === "/" ? new URL(WEBHOOK_PATH, url).href : url.href;
}
