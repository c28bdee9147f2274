import { createPrivateKey, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, buildOctokit, createWorld } from "./sandbox-world.ts";

const HOUR = 3_600_000;
/** How far GitHub's clock is ahead of ours. */
let shift = 0;
let world: SandboxWorld;

beforeAll(async () => {
  world = await createWorld({ authClock: () => Date.now() + shift });
});
afterAll(() => world.close());

function signJwt(claims: object, alg = "RS256"): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("RSA-SHA256", Buffer.from(text), createPrivateKey(world.sandbox.app.privateKey));
  return `${text}.${signature.toString("base64url")}`;
}

function asJwt(claims: object, alg?: string) {
  return buildOctokit(world.sandbox.apiUrl, signJwt(claims, alg)).rest.apps.getAuthenticated();
}

// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
describe("an App's JWT", () => {
  const seconds = () => Math.floor(Date.now() / 1000);

  it("is taken with the App's id or client id and ten minutes of life", async () => {
    const claims = { iat: seconds() - 60, exp: seconds() + 600 };
    expect((await asJwt({ ...claims, iss: world.sandbox.app.id })).data?.slug).toBe("taskfleet");
    expect((await asJwt({ ...claims, iss: world.sandbox.app.clientId })).data?.slug).toBe("taskfleet");
  });

  it.each([
    [
      "lives longer than ten minutes",
      { iat: 0, exp: 3600 },
      "'Expiration time' claim ('exp') is too far in the future",
    ],
    ["has expired", { iat: -700, exp: -1 }, /Expiration time/],
    ["was issued in the future", { iat: 300, exp: 600 }, /Issued at/],
  ])("is refused when it %s", async (_, { iat, exp }, message) => {
    const claims = { iss: world.sandbox.app.id, iat: seconds() + iat, exp: seconds() + exp };
    const refusal = await refusalOf(asJwt(claims));
    expect(refusal.status).toBe(401);
    expect(refusal.message).toMatch(message);
  });

  it("is refused when it is not signed with the App's key or names another algorithm", async () => {
    const claims = { iss: world.sandbox.app.id, iat: seconds(), exp: seconds() + 60 };
    const forged = `${signJwt(claims).split(".").slice(0, 2).join(".")}.AAAA`;
    const octokit = buildOctokit(world.sandbox.apiUrl, forged);
    expect((await refusalOf(octokit.rest.apps.getAuthenticated())).status).toBe(401);
    expect((await refusalOf(asJwt(claims, "none"))).status).toBe(401);
  });

  it("opens no repository", async () => {
    const { app } = world.sandbox;
    const jwt = signJwt({ iss: app.id, iat: seconds(), exp: seconds() + 60 });
    expect((await refusalOf(world.as(jwt).rest.repos.get(REPO))).status).toBe(403);
  });
});

// https://github.blog/changelog/ 2026: installation tokens are about 520 characters
describe("an installation token", () => {
  it("is far longer than forty characters and lives one hour", async () => {
    const token = await world.installationToken();
    expect(token).toMatch(/^ghs_\d+_/);
    expect(token.length).toBeGreaterThan(450);
    const octokit = buildOctokit(world.sandbox.apiUrl, token);
    await octokit.rest.repos.get(REPO);
    shift = HOUR + 1000;
    const refusal = await refusalOf(octokit.rest.repos.get(REPO));
    shift = 0;
    expect(refusal).toMatchObject({ status: 401, message: "Bad credentials" });
  });

  it("can be narrowed, never widened", async () => {
    const create = (permissions: Record<string, "read" | "write">) =>
      world.appJwt.rest.apps.createInstallationAccessToken({
        installation_id: world.sandbox.installationId,
        permissions,
      });
    const narrow = buildOctokit(world.sandbox.apiUrl, (await create({ contents: "read" })).data.token);
    const { data } = await narrow.rest.git.getRef({ ...REPO, ref: "heads/main" });
    const refusal = await refusalOf(narrow.rest.git.createRef({ ...REPO, ref: "refs/heads/x", sha: data.object.sha }));
    expect(refusal).toMatchObject({ status: 403, message: "Resource not accessible by integration" });
    expect((await refusalOf(create({ workflows: "write" }))).status).toBe(422);
  });

  it("stops working while the installation is suspended", async () => {
    const octokit = buildOctokit(world.sandbox.apiUrl, await world.installationToken());
    world.sandbox.suspendInstallation(world.sandbox.installationId);
    expect(await refusalOf(octokit.rest.repos.get(REPO))).toMatchObject({
      status: 403,
      message: "This installation has been suspended",
    });
    expect((await refusalOf(world.installationToken())).status).toBe(403);
    world.sandbox.resumeInstallation(world.sandbox.installationId);
    await octokit.rest.repos.get(REPO);
  });

  it("names its App where a person would be named", async () => {
    const { data } = await world.app.rest.issues.create({ ...REPO, title: "From the App" });
    expect(data.user).toMatchObject({ login: "taskfleet[bot]", type: "Bot" });
    expect(data.performed_via_github_app?.slug).toBe("taskfleet");
    expect((await refusalOf(world.app.rest.users.getAuthenticated())).status).toBe(403);
  });
});

describe("people", () => {
  it("cannot create check runs", async () => {
    const { data } = await world.app.rest.git.getRef({ ...REPO, ref: "heads/main" });
    const refusal = await refusalOf(
      world.as(world.tokens.maintainer).rest.checks.create({ ...REPO, name: "x", head_sha: data.object.sha }),
    );
    expect(refusal).toMatchObject({ status: 403, message: "You must authenticate via a GitHub App." });
  });

  it("have the role the repository gives them", async () => {
    const roles: [string, string, string][] = [
      ["acme", "admin", "admin"],
      ["maintainer", "write", "maintain"],
      ["writer", "write", "write"],
      ["triager", "read", "triage"],
      ["reader", "read", "read"],
      ["stranger", "read", "read"],
    ];
    for (const [username, permission, role] of roles) {
      const { data } = await world.app.rest.repos.getCollaboratorPermissionLevel({ ...REPO, username });
      expect([username, data.permission, data.role_name]).toEqual([username, permission, role]);
    }
    const unknown = world.app.rest.repos.getCollaboratorPermissionLevel({ ...REPO, username: "nobody" });
    expect((await refusalOf(unknown)).status).toBe(404);
  });

  it("without a role do not see a private repository, and nobody without a token does", async () => {
    await world.sandbox.createRepository({
      owner: "acme",
      name: "secret",
      fromDir: `${world.folder}/source`,
      collaborators: { reader: "read" },
      visibility: "private",
    });
    const secret = { owner: "acme", repo: "secret" };
    await world.as(world.tokens.reader).rest.repos.get(secret);
    for (const token of [world.tokens.stranger, null]) {
      expect(await refusalOf(world.as(token).rest.repos.get(secret))).toMatchObject({
        status: 404,
        message: "Not Found",
      });
    }
    expect((await world.as(null).rest.repos.get(REPO)).data.full_name).toBe("acme/shop");
  });
});

it("answers 401 to a token nobody has issued", async () => {
  expect(await refusalOf(world.as("ghp_unknown").rest.repos.get(REPO))).toMatchObject({
    status: 401,
    message: "Bad credentials",
  });
});

it("answers 501 to a route it does not have, and says so in the log", async () => {
  expect((await refusalOf(world.app.request("GET /repos/acme/shop/traffic/views"))).status).toBe(501);
});
