/**
 * GitHub's manifest flow, once: a page on this machine hands the manifest over, GitHub sends the person back with a
 * code, and the code is exchanged for the App's key. It is good for one exchange, within an hour.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
import { Octokit } from "@octokit/rest";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { finished } from "node:stream";
import { type Manifest, loadManifest } from "./manifest.ts";
import { buildDonePage, buildRefusal, buildStartPage, type Page } from "./setup-page.ts";

export interface RegisteredApp {
  readonly id: number;
  readonly name: string;
  /** Its page on GitHub. */
  readonly url: string;
  /** PEM. */
  readonly privateKey: string;
  /** null when GitHub made none. */
  readonly webhookSecret: string | null;
}

export interface Registration {
  /** To be opened in a browser on this machine. */
  readonly url: string;
  /** Resolves when the App exists and was kept; rejects when it exists and could not be kept. */
  readonly registered: Promise<RegisteredApp>;
  readonly close: () => Promise<void>;
}

export interface RegistrationOptions {
  /** The web pages of GitHub or of a GitHub Enterprise Server. */
  readonly server: string;
  /** Its API; undefined = github.com's. */
  readonly baseUrl: string | undefined;
  /** Whose App it will be; null = the person's own. */
  readonly organization: string | null;
  readonly webhook: string;
  /** 0 = any that is free. */
  readonly port: number;
  /** Puts the key away; it can be had only once. */
  readonly keep: (app: RegisteredApp) => Promise<void>;
  /** Told what went wrong; the person may try again. */
  readonly warn: (text: string) => void;
}

const CREATED = "/created";

interface Answer extends Page {
  /** Called when the page was sent, or cannot be: whoever waits for the App may then end the server. */
  readonly shown?: () => void;
}

export async function openRegistration(options: RegistrationOptions): Promise<Registration> {
  const state = randomBytes(16).toString("hex");
  const registered = Promise.withResolvers<RegisteredApp>();
  let manifest: Manifest | null = null;
  // Two requests with one code are one exchange.
  let exchanging = false;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = URL.parse(request.url ?? "/", "http://localhost");
    if (url === null) return buildRefusal(400, "That is no address.");
    // Other names for this machine come from pages that want to read ours.
    if (!/^(?:localhost|127\.0\.0\.1):\d+$/u.test(request.headers.host ?? ""))
      return buildRefusal(421, "This page is for a browser on this machine.");
    if (request.method !== "GET") return buildRefusal(405, "There is nothing to be sent here.");
    if (url.pathname === "/" && manifest !== null) return buildStartPage(formatAction(options, state), manifest);
    if (url.pathname !== CREATED) return buildRefusal(404, "There is no such page.");
    const code = url.searchParams.get("code") ?? "";
    if (!equal(url.searchParams.get("state") ?? "", state) || !/^[\w-]{1,200}$/u.test(code))
      return buildRefusal(403, "This did not begin here: open the first page again.");
    if (exchanging) return buildRefusal(409, "The App is being registered already.");
    exchanging = true;
    let app: RegisteredApp;
    try {
      app = await exchange(options.baseUrl, code);
    } catch (error) {
      exchanging = false;
      options.warn(`The App could not be taken over: ${error instanceof Error ? error.message : "unknown"}`);
      return buildRefusal(502, "It did not work; the terminal says why. Open the first page again.");
    }
    // From here on there is an App and its code is spent: beginning again would register a second one.
    try {
      await options.keep(app);
    } catch (error) {
      const page = buildRefusal(500, "The App is registered, but its key could not be kept; the terminal says why.");
      return { ...page, shown: () => registered.reject(error) };
    }
    return { ...buildDonePage(app.name, formatInstallation(app)), shown: () => registered.resolve(app) };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, html, shown } = await answer(request);
    if (shown !== undefined) finished(response, shown);
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; frame-ancestors 'none'; form-action ${options.server}`,
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(html);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      options.warn(`A page could not be shown: ${error instanceof Error ? error.message : "unknown"}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  manifest = await loadManifest(options.webhook, `${url}${CREATED}`);
  return {
    url: `${url}/`,
    registered: registered.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Browsers open connections they may need later; the end would wait for these.
        server.closeAllConnections();
      }),
  };
}

export function formatInstallation(app: RegisteredApp): string {
  return `${app.url}/installations/new`;
}

function formatAction({ server, organization }: RegistrationOptions, state: string): string {
  const owner = organization === null ? "" : `/organizations/${encodeURIComponent(organization)}`;
  return `${server}${owner}/settings/apps/new?state=${state}`;
}

/** Nobody's token is needed: the code is the secret. */
async function exchange(baseUrl: string | undefined, code: string): Promise<RegisteredApp> {
  const octokit = new Octokit({ log: silent, ...(baseUrl === undefined ? {} : { baseUrl }) });
  const { data } = await octokit.request("POST /app-manifests/{code}/conversions", { code });
  return {
    id: data.id,
    name: data.name,
    url: data.html_url,
    privateKey: data.pem,
    webhookSecret: data.webhook_secret,
  };
}

function equal(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function ignore(): void {}

const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
