/** Looks at everything that must be right; a check that fails to look does not keep the others from looking. */
import path from "node:path";
import { GitHubFailure, UserError } from "../../contracts/errors.ts";
import { type ServeSettings, readServeSettings } from "../../fleet/serve-settings.ts";
import { systemClock } from "../../github/clock.ts";
import { createGitHubPort } from "../../github/octokit-port.ts";
import { createOctokitSource, type Octokit } from "../../github/octokit-source.ts";
import { deriveRequiredPermissions } from "../../github/permissions.ts";
import { probeStore } from "../../store/probe-store.ts";
import { StoreFailure } from "../../store/store-failure.ts";
import { checkApp, wrongKey } from "./check-app.ts";
import { checkRepository } from "./check-repository.ts";
import { checkReviewer, complain } from "./check-reviewer.ts";
import { checkSettings } from "./check-settings.ts";
import { checkWebhook } from "./check-webhook.ts";
import { type Finding, ok } from "./finding.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** @param repository null = the App alone. */
export async function diagnose(
  env: Environment,
  repository: { readonly owner: string; readonly name: string } | null,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let settings: ServeSettings;
  try {
    settings = readServeSettings(env);
    findings.push(ok("settings", "complete"));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [settingsProblem(error.message)];
  }
  findings.push(await checkDatabase(settings));
  const source = createOctokitSource({ ...settings, clock: systemClock, requestTimeoutMs: 15_000 });
  const app = source.create(null);
  const about = await guard("app", () => checkApp(app, settings.appId, Date.now));
  findings.push(...about);
  // Without the App's own answer nothing else can be asked.
  if (about.some(({ check, level }) => check === "app" && level === "problem")) return findings;
  findings.push(...(await guard("webhook", () => checkWebhook(app))));
  const { reviewer } = settings;
  if (reviewer !== undefined)
    findings.push(
      ...(await guard("reviewer", async () => {
        const second = createOctokitSource({ ...settings, ...reviewer, clock: systemClock, requestTimeoutMs: 15_000 });
        return await checkReviewer(second.create(null), reviewer.appId, repository);
      })),
    );
  if (repository !== null)
    findings.push(
      ...(await guard("installation", () =>
        checkInstallation(settings, app, (id) => source.create(id), repository, env),
      )),
    );
  return findings;
}

function settingsProblem(message: string): Finding {
  return {
    check: "settings",
    level: "problem",
    what: message.split("\n").slice(1).join(" ").trim(),
    why: "The App does not start without them.",
    fix: "Set them in the environment; docs/operations.md lists them.",
  };
}

async function checkDatabase(settings: ServeSettings): Promise<Finding> {
  const options =
    settings.databaseUrl === undefined
      ? { file: path.join(settings.dataDir, "taskfleet.sqlite") }
      : { url: settings.databaseUrl };
  try {
    return ok("database", await probeStore(options));
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return {
      check: "database",
      level: "problem",
      what: error.message,
      why: "Everything the App knows is kept there.",
      fix: "Correct DATABASE_URL or TASKFLEET_DATA_DIR, or mend what they name.",
    };
  }
}

async function checkInstallation(
  settings: ServeSettings,
  app: Octokit,
  create: (installation: number) => Octokit,
  { owner, name }: { readonly owner: string; readonly name: string },
  env: Environment,
): Promise<readonly Finding[]> {
  let installation;
  try {
    ({ data: installation } = await app.request("GET /repos/{owner}/{repo}/installation", { owner, repo: name }));
  } catch (error) {
    if ((error as { readonly status?: number }).status !== 404) throw error;
    return [
      {
        check: "installation",
        level: "problem",
        what: `the App is not installed on ${owner}/${name}`,
        why: "It sees and hears only repositories it is installed on.",
        fix: "Install it from the App's page and choose the repository.",
      },
    ];
  }
  if (installation.suspended_at !== null && installation.suspended_at !== undefined)
    return [
      {
        check: "installation",
        level: "problem",
        what: `the installation on ${owner} is suspended`,
        why: "GitHub refuses every request.",
        fix: "Unsuspend it under the owner's settings, Installed GitHub Apps.",
      },
    ];
  const findings = [checkAccepted(installation.permissions)];
  findings.push(...(await guard("token", () => checkToken(app, installation.id))));
  const { id } = await create(installation.id)
    .request("GET /repos/{owner}/{repo}", { owner, repo: name })
    .then(({ data }) => data);
  const port = createGitHubPort({ ...settings }).repository({
    id: Number(id),
    owner,
    name,
    installationId: installation.id,
  });
  findings.push(
    ...(await guard("repository", async () => {
      const checked = await checkRepository(port, create(installation.id));
      const place = { owner, repo: name, baseUrl: settings.baseUrl, token: env["GITHUB_TOKEN"] };
      return checked.config === null
        ? checked.findings
        : [...checked.findings, ...(await checkSettings(place, checked.config))];
    })),
  );
  return findings;
}

function checkAccepted(granted: Readonly<Record<string, string | undefined>>): Finding {
  const lacking = Object.entries(deriveRequiredPermissions()).filter(
    ([name, level]) => granted[name] !== "write" && granted[name] !== level,
  );
  if (lacking.length === 0) return ok("installation", "installed, with all permissions");
  return {
    check: "installation",
    level: "problem",
    what: `the installation has not accepted ${lacking.map(([name, level]) => `${name}: ${level}`).join(", ")}`,
    why: "Permissions added to an App count for an installation once its owner has accepted them.",
    fix: "Accept them under the owner's settings, Installed GitHub Apps.",
  };
}

async function checkToken(app: Octokit, installation: number): Promise<readonly Finding[]> {
  const { data } = await app.request("POST /app/installations/{installation_id}/access_tokens", {
    installation_id: installation,
  });
  const minutes = Math.round((Date.parse(data.expires_at) - Date.now()) / 60_000);
  if (minutes >= 50) return [ok("token", `a fresh token lives ${minutes} minutes`)];
  return [
    {
      check: "token",
      level: "warning",
      what: `a fresh token lives ${minutes} minutes by this machine's clock`,
      why: "GitHub's tokens live an hour: this clock is wrong, or a proxy answers instead of GitHub.",
      fix: "Correct the clock, or the address in GHE_HOST.",
    },
  ];
}

/** A check that cannot look says so. */
async function guard(check: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const status = (error as { readonly status?: unknown }).status;
    if (check === "reviewer" && (status === 401 || status === 404))
      return [complain("GitHub does not accept its id and private key")];
    if (check === "app" && (status === 401 || status === 404))
      return [wrongKey("GitHub does not accept the App's id and private key")];
    if (!(error instanceof GitHubFailure) && typeof status !== "number") throw error;
    return [
      {
        check,
        level: check === "app" ? "problem" : "unknown",
        what: `GitHub did not say (${error instanceof Error ? error.message.split("\n")[0] : "no answer"})`,
        why: "What cannot be looked at may be wrong.",
        fix: "See that this machine reaches GitHub, and run this again.",
      },
    ];
  }
}
