import { createHmac, createSign } from "node:crypto";
import { buildOctokit } from "../../sandbox/sandbox-world.ts";
import { answers, gives } from "../behaviour.ts";
import { type Area, everywhere, inSandbox, type SandboxGround } from "../ground.ts";
import { DOCS } from "../links.ts";

function signJwt({ sandbox }: SandboxGround, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${body}.${createSign("RSA-SHA256").update(body).sign(sandbox.app.privateKey, "base64url")}`;
}

function askWithJwt(ground: SandboxGround, claims: object) {
  return buildOctokit(ground.sandbox.apiUrl, signJwt(ground, claims)).request("GET /app");
}

const now = (): number => Math.floor(Date.now() / 1000);
const control = "the App's key and its settings are needed";

export const access: Area = {
  title: "Who may do what",
  rows: [
    everywhere("A repository that is not there, or not for us, is 404.", {
      expected: answers(404),
      sources: [DOCS.troubleshooting],
      ask: ({ octokit, repo }) => octokit.rest.repos.get({ owner: repo.owner, repo: "x-not-there-x" }),
    }),
    everywhere("A version of the API that does not exist is 400.", {
      expected: answers(400),
      sources: [DOCS.versions],
      ask: ({ octokit, repo }) =>
        octokit.request("GET /repos/{owner}/{repo}", { ...repo, headers: { "x-github-api-version": "2001-01-01" } }),
    }),
    everywhere("What has not changed is 304.", {
      expected: answers(304),
      sources: [DOCS.practices],
      ask: async ({ octokit, repo }) => {
        const { headers } = await octokit.rest.repos.listBranches({ ...repo, per_page: 1 });
        return octokit.rest.repos.listBranches({
          ...repo,
          per_page: 1,
          headers: { "if-none-match": headers.etag ?? "" },
        });
      },
    }),
    everywhere("Every answer tells what is left of the hour.", {
      expected: gives([true, true, true]),
      sources: [DOCS.limits],
      ask: async ({ octokit, repo }) => {
        const { headers } = await octokit.rest.repos.get(repo);
        return ["limit", "remaining", "reset"].map((name) => /^\d+$/u.test(String(headers[`x-ratelimit-${name}`])));
      },
    }),
    inSandbox("a wrong token counts against whoever sends it", "A wrong token is 401.", {
      expected: answers(401, "Bad credentials"),
      sources: ["https://docs.github.com/en/rest/authentication/authenticating-to-the-rest-api#failed-login-limit"],
      ask: ({ sandbox, repo }) => buildOctokit(sandbox.apiUrl, "ghs_wrong").rest.repos.get(repo),
    }),
    inSandbox("no client library sends such a body", "A body that is no JSON is 400.", {
      expected: gives({ status: 400, message: "Problems parsing JSON" }),
      sources: [DOCS.troubleshooting],
      ask: async ({ world, sandbox, repo }) => {
        const response = await fetch(`${sandbox.apiUrl}/repos/${repo.owner}/${repo.repo}/issues`, {
          method: "POST",
          headers: { authorization: `token ${await world.installationToken()}`, "content-type": "application/json" },
          body: "{",
        });
        const { message } = (await response.json()) as { readonly message: string };
        return { status: response.status, message };
      },
    }),
    inSandbox(
      "requests without a token have a small limit of their own",
      "Nobody reads a public repository, and writes nothing.",
      {
        expected: gives([200, 401]),
        sources: ["https://docs.github.com/en/rest/authentication/authenticating-to-the-rest-api"],
        ask: async ({ as, repo }) => [
          (await as("nobody").rest.repos.get(repo)).status,
          await as("nobody")
            .rest.issues.create({ ...repo, title: "x" })
            .then(
              ({ status }) => status,
              (error: { status: number }) => error.status,
            ),
        ],
      },
    ),
    inSandbox("it takes people of several ranks", "Who may only read pushes nothing.", {
      expected: answers(403),
      sources: [DOCS.permissions],
      ask: ({ as, repo, main, name }) =>
        as("reader").rest.git.createRef({ ...repo, ref: `refs/heads/${name()}`, sha: main.sha }),
    }),
    inSandbox(control, "An App without the permission is told so.", {
      expected: answers(403, "Resource not accessible by integration"),
      sources: [DOCS.troubleshooting, DOCS.permissions],
      ask: async ({ octokit, repo, branch }) =>
        octokit.rest.repos.createCommitStatus({ ...repo, sha: (await branch()).sha, state: "success" }),
    }),
    inSandbox(control, "A token has no permission its installation lacks.", {
      expected: answers(422, "not granted to this installation"),
      sources: [DOCS.tokens],
      ask: ({ world, sandbox }) =>
        world.appJwt.rest.apps.createInstallationAccessToken({
          installation_id: sandbox.installationId,
          permissions: { workflows: "write" },
        }),
    }),
    inSandbox(control, "A token may be for less.", {
      expected: answers(403, "Resource not accessible by integration"),
      sources: [DOCS.tokens],
      ask: async ({ world, sandbox, repo, main, name }) => {
        const { data } = await world.appJwt.rest.apps.createInstallationAccessToken({
          installation_id: sandbox.installationId,
          permissions: { contents: "read" },
        });
        const reading = buildOctokit(sandbox.apiUrl, data.token);
        return reading.rest.git.createRef({ ...repo, ref: `refs/heads/${name()}`, sha: main.sha });
      },
    }),
    inSandbox(control, "A token lives an hour.", {
      expected: gives(60),
      sources: [DOCS.tokens],
      ask: async ({ world, sandbox }) => {
        const { data } = await world.appJwt.rest.apps.createInstallationAccessToken({
          installation_id: sandbox.installationId,
        });
        return Math.round((Date.parse(data.expires_at) - Date.now()) / 60_000);
      },
    }),
    inSandbox(control, "A revoked token is 401.", {
      expected: answers(401, "Bad credentials"),
      sources: ["https://docs.github.com/en/rest/apps/installations#revoke-an-installation-access-token"],
      ask: async ({ world, sandbox, repo }) => {
        const octokit = buildOctokit(sandbox.apiUrl, await world.installationToken());
        await octokit.rest.apps.revokeInstallationAccessToken();
        return octokit.rest.repos.get(repo);
      },
    }),
    inSandbox(control, "The App's own token reaches ten minutes ahead at most.", {
      expected: answers(401, "too far in the future"),
      sources: [DOCS.jwt],
      ask: (ground) => askWithJwt(ground, { iat: now() - 60, exp: now() + 1200, iss: ground.sandbox.app.clientId }),
    }),
    inSandbox(control, "It is not issued in the future.", {
      expected: answers(401, "'Issued at' claim"),
      sources: [DOCS.jwt, "https://github.com/octokit/auth-app.js/issues/65"],
      ask: (ground) => askWithJwt(ground, { iat: now() + 300, exp: now() + 500, iss: ground.sandbox.app.clientId }),
    }),
    inSandbox(control, "It is issued by the App's id or its client id.", {
      expected: gives([200, 200]),
      sources: [DOCS.jwt],
      ask: async (ground) => {
        const ask = async (iss: string): Promise<number> =>
          (await askWithJwt(ground, { iat: now() - 60, exp: now() + 500, iss })).status;
        return [await ask(String(ground.sandbox.app.id)), await ask(ground.sandbox.app.clientId)];
      },
    }),
    inSandbox(control, "A suspended installation is 403, and gets no new token.", {
      expected: gives([403, 403]),
      sources: ["https://docs.github.com/en/apps/maintaining-github-apps/suspending-a-github-app-installation"],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const octokit = buildOctokit(there.sandbox.apiUrl, await there.world.installationToken());
        there.sandbox.suspendInstallation(there.sandbox.installationId);
        const statusOf = (answer: Promise<{ status: number }>): Promise<number> =>
          answer.then(
            ({ status }) => status,
            (error: { status: number }) => error.status,
          );
        return [
          await statusOf(octokit.rest.repos.get(there.repo)),
          await statusOf(
            there.world.appJwt.rest.apps.createInstallationAccessToken({
              installation_id: there.sandbox.installationId,
            }),
          ),
        ];
      },
    }),
    inSandbox(control, "An archived repository is read-only.", {
      expected: answers(403, "archived so is read-only"),
      sources: ["https://docs.github.com/en/repositories/archiving-a-github-repository/archiving-repositories"],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        there.sandbox.archiveRepository(`${there.repo.owner}/${there.repo.repo}`);
        return there.octokit.rest.git.createRef({ ...there.repo, ref: "refs/heads/x", sha: there.main.sha });
      },
    }),
    inSandbox(control, "A renamed repository redirects: 301 for reads, 307 for writes.", {
      expected: gives([301, 307]),
      sources: [`${DOCS.practices}#follow-redirects`],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const token = await there.world.installationToken();
        there.sandbox.renameRepository(`${there.repo.owner}/${there.repo.repo}`, "renamed");
        const ask = async (method: string, path: string): Promise<number> => {
          const response = await fetch(`${there.sandbox.apiUrl}/repos/${there.repo.owner}/${there.repo.repo}${path}`, {
            method,
            redirect: "manual",
            headers: { authorization: `token ${token}` },
            ...(method === "POST" ? { body: "{}" } : {}),
          });
          await response.arrayBuffer();
          return response.status;
        };
        return [await ask("GET", ""), await ask("POST", "/issues")];
      },
    }),
    inSandbox("a secret is needed on both sides", "A webhook is signed with the App's secret.", {
      expected: gives(true),
      sources: ["https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries"],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const receiver = await there.receive();
        await there.issue();
        await there.sandbox.idle();
        return receiver.received.every(
          ({ body, signature }) =>
            signature === `sha256=${createHmac("sha256", there.sandbox.app.webhookSecret).update(body).digest("hex")}`,
        );
      },
    }),
  ],
};
