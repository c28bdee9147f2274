/** The way from nothing to an App, with a GitHub that knows manifests and one person who clicks. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { runCli } from "../../src/cli/run-cli.ts";
import { readServeSettings } from "../../src/fleet/serve-settings.ts";
import { deriveRequiredPermissions, REQUIRED_EVENTS } from "../../src/github/permissions.ts";
import { runTaskfleet } from "./run-taskfleet.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const SECRET = "0123456789abcdef0123456789abcdef01234567";

let folder: string;
let github: Server;
let host: string;
/** What was asked of GitHub's API. */
let asked: string[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-setup-"));
  asked = [];
  github = createServer((incoming, response) => {
    asked.push(`${incoming.method ?? ""} ${incoming.url ?? ""}`);
    const known = incoming.url === "/api/v3/app-manifests/good-code/conversions";
    response.writeHead(known ? 201 : 404, { "content-type": "application/json" });
    // https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest
    const app = {
      id: 12,
      slug: "taskfleet-octo",
      name: "taskfleet-octo",
      html_url: `http://${host}/apps/taskfleet-octo`,
      pem: privateKey,
      webhook_secret: SECRET,
      client_id: "Iv1.1",
      client_secret: "client-secret",
    };
    response.end(JSON.stringify(known ? app : { message: "Not Found" }));
  });
  await new Promise<void>((resolve) => github.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(github.address() as AddressInfo).port}`;
  process.env["GHE_HOST"] = host;
  process.env["GHE_PROTOCOL"] = "http";
});

afterEach(async () => {
  delete process.env["GHE_HOST"];
  delete process.env["GHE_PROTOCOL"];
  rmSync(folder, { recursive: true });
  github.closeAllConnections();
  await new Promise<void>((resolve) => github.close(() => resolve()));
});

interface Setup {
  readonly page: string;
  readonly output: () => string;
  readonly errors: () => string;
  /** The exit code, once the command has ended. */
  readonly ended: Promise<number>;
}

async function begin(...args: readonly string[]): Promise<Setup> {
  let stdout = "";
  let stderr = "";
  const shown = Promise.withResolvers<string>();
  const ended = runCli(["setup", "--webhook", "https://app.example", "--directory", folder, ...args], {
    write: (text) => {
      stdout += text;
      const page = /http:\/\/localhost:\d+\//u.exec(stdout)?.[0];
      if (page !== undefined) shown.resolve(page);
    },
    writeError: (text) => void (stderr += text),
    input: (async function* () {})(),
    isColoured: false,
  });
  return { page: await shown.promise, output: () => stdout, errors: () => stderr, ended };
}

interface Form {
  readonly action: URL;
  readonly manifest: Readonly<Record<string, unknown>> & { readonly redirect_url: string };
}

const decode = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What a browser would send to GitHub when the button is pressed. */
async function readForm(page: string): Promise<Form> {
  const html = await (await fetch(page)).text();
  const action = /<form method="post" action="([^"]+)"/u.exec(html)?.[1] ?? "";
  const value = /name="manifest" value="([^"]+)"/u.exec(html)?.[1] ?? "";
  return { action: new URL(decode(action)), manifest: JSON.parse(decode(value)) as Form["manifest"] };
}

/** GitHub sends the person back. */
async function comeBack({ action, manifest }: Form, code = "good-code"): Promise<number> {
  const state = action.searchParams.get("state") ?? "";
  return (await fetch(`${manifest.redirect_url}?${new URLSearchParams({ code, state }).toString()}`)).status;
}

describe("taskfleet setup", () => {
  it("asks GitHub for exactly the permissions and events the App needs, and for deliveries to where it runs", async () => {
    const setup = await begin();
    const form = await readForm(setup.page);
    expect(form.action.href).toMatch(new RegExp(`^http://${host}/settings/apps/new\\?state=[0-9a-f]{32}$`, "u"));
    expect(form.manifest).toMatchObject({
      default_permissions: deriveRequiredPermissions(),
      default_events: expect.arrayContaining([...REQUIRED_EVENTS]),
      hook_attributes: { url: "https://app.example/api/github/webhooks", active: true },
      redirect_url: `${setup.page}created`,
      public: false,
    });
    await comeBack(form);
    expect(await setup.ended).toBe(0);
  });

  it("keeps what the App needs to start where only its owner reads it, and shows none of it", async () => {
    const setup = await begin("--organization", "octo-org");
    const form = await readForm(setup.page);
    expect(form.action.pathname).toBe("/organizations/octo-org/settings/apps/new");
    expect(await comeBack(form)).toBe(201);
    expect(await setup.ended).toBe(0);
    for (const file of readdirSync(folder)) expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
    const env = parseEnv(readFileSync(path.join(folder, "taskfleet.env"), "utf8"));
    expect(readServeSettings(env)).toMatchObject({
      appId: 12,
      privateKey,
      webhookSecret: SECRET,
      baseUrl: `http://${host}/api/v3`,
    });
    expect(setup.output()).toContain(`http://${host}/apps/taskfleet-octo/installations/new`);
    for (const secret of [SECRET, "PRIVATE KEY", "client-secret"])
      expect(setup.output() + setup.errors()).not.toContain(secret);
  });

  it("takes no code that did not begin on its own page, and none twice", async () => {
    const setup = await begin();
    const form = await readForm(setup.page);
    const forged = new URL(form.action);
    forged.searchParams.set("state", "0".repeat(32));
    expect(await comeBack({ ...form, action: forged })).toBe(403);
    expect(await comeBack(form, "../../user")).toBe(403);
    expect(asked).toEqual([]);
    const answers = await Promise.all([comeBack(form), comeBack(form).catch(() => 409)]);
    expect(answers.toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(asked).toHaveLength(1);
    await setup.ended;
  });

  it("says that a code is worth nothing any more, and lets the person try again", async () => {
    const setup = await begin();
    const form = await readForm(setup.page);
    expect(await comeBack(form, "old-code")).toBe(502);
    expect(setup.errors()).toContain("could not be taken over: Not Found");
    expect(await comeBack(form)).toBe(201);
    expect(await setup.ended).toBe(0);
  });

  it("leaves no half of what it could not keep, and says where a new key is made", async () => {
    const setup = await begin();
    const form = await readForm(setup.page);
    // Came there after the command had looked.
    mkdirSync(path.join(folder, "taskfleet.env"));
    expect(await comeBack(form)).toBe(500);
    expect(await setup.ended).toBe(2);
    expect(readdirSync(folder)).toEqual(["taskfleet.env"]);
    expect(setup.errors()).toContain(`Make a new key on http://${host}/apps/taskfleet-octo`);
    expect(setup.errors()).not.toContain("PRIVATE KEY");
  });

  it("ends although a browser keeps a connection it has not used", async () => {
    const setup = await begin();
    const spare = connect(Number(new URL(setup.page).port), "127.0.0.1");
    spare.on("error", () => undefined);
    await once(spare, "connect");
    await comeBack(await readForm(setup.page));
    expect(await setup.ended).toBe(0);
    spare.destroy();
  });

  it("goes on after a request for no address", async () => {
    const setup = await begin();
    const { port } = new URL(setup.page);
    const status = await new Promise((resolve, reject) => {
      request({ port, host: "127.0.0.1", path: "//" }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(400);
    expect(await comeBack(await readForm(setup.page))).toBe(201);
    expect(await setup.ended).toBe(0);
  });

  it("answers nothing under another name of this machine", async () => {
    const setup = await begin();
    const { port } = new URL(setup.page);
    const status = await new Promise((resolve) => {
      request({ port, host: "127.0.0.1", headers: { host: `evil.example:${port}` } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(421);
    await comeBack(await readForm(setup.page));
    await setup.ended;
  });

  it.each([
    ["no address", ["--webhook", "app.example"], "is no address for a webhook"],
    ["an address with a password", ["--webhook", "https://a:b@app.example"], "is no address for a webhook"],
    [
      "a name that is none",
      ["--webhook", "https://app.example", "--organization", 'o"><b'],
      "is no organisation's name",
    ],
    ["a folder that is none", ["--webhook", "https://app.example", "--directory", "/nowhere"], "is no folder"],
    ["a file for a folder", ["--webhook", "https://app.example", "--directory", "package.json"], "is no folder"],
    ["a port that is none", ["--webhook", "https://app.example", "--port", "x"], "is no port"],
  ])("refuses %s", async (_, args, words) => {
    expect(await runTaskfleet(["setup", ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  it("refuses a server that is written as an address", async () => {
    process.env["GHE_HOST"] = "https://ghe.example/";
    const outcome = await runTaskfleet(["setup", "--webhook", "https://app.example"]);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("GHE_HOST: must be the server's name") });
  });

  it("does not begin where an App's key or settings are already", async () => {
    writeFileSync(path.join(folder, "taskfleet.env"), "APP_ID=1\n");
    const outcome = await runTaskfleet(["setup", "--webhook", "https://app.example", "--directory", folder]);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("is there already") });
    expect(readFileSync(path.join(folder, "taskfleet.env"), "utf8")).toBe("APP_ID=1\n");
  });
});
