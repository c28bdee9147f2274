/** What only a person who administers the repository may read: secrets by name, the Actions policy. */
import { Octokit } from "@octokit/rest";
import { type Config, listAgents } from "../../contracts/config.ts";
import { WORKFLOW_PATH } from "../../contracts/names.ts";
import { PRESETS } from "../../worker/presets/presets.ts";
import { type Finding, ok } from "./finding.ts";

export interface AdminPlace {
  readonly owner: string;
  readonly repo: string;
  readonly baseUrl: string | undefined;
  /** A person's token; undefined = nobody gave one. */
  readonly token: string | undefined;
}

export async function checkSettings(place: AdminPlace, config: Config): Promise<readonly Finding[]> {
  const { owner, repo, baseUrl, token } = place;
  if (token === undefined || token === "") return [unknown("secrets"), unknown("actions")];
  const octokit = new Octokit({ auth: token, log: silent, ...(baseUrl === undefined ? {} : { baseUrl }) });
  return [
    await orUnknown("secrets", async () => {
      const page = { owner, repo, per_page: 100 };
      const own = await octokit.paginate("GET /repos/{owner}/{repo}/actions/secrets", page);
      // An organisation may share its secrets with the repository, and refuse to show them to who may see the others.
      const shared = await octokit
        .paginate("GET /repos/{owner}/{repo}/actions/organization-secrets", page)
        .catch((error: unknown) => {
          if (isRefusal(error)) return null;
          throw error;
        });
      const found = checkSecrets(new Set([...own, ...(shared ?? [])].map(({ name }) => name)), config);
      return shared === null && found.level !== "ok" ? unknown("secrets") : found;
    }),
    await orUnknown("actions", async () => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/permissions", { owner, repo });
      return checkPolicy(data);
    }),
  ];
}

function unknown(check: string): Finding {
  return {
    check,
    level: "unknown",
    what: check === "secrets" ? "whether the model key is stored" : "whether Actions may run the worker",
    why: "The App has no permission to look, on purpose.",
    fix: "Run this with GITHUB_TOKEN set to a token of somebody who administers the repository.",
  };
}

async function orUnknown(check: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (isRefusal(error)) return unknown(check);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return [401, 403, 404].includes((error as { readonly status?: number }).status ?? 0);
}

function checkSecrets(stored: ReadonlySet<string>, config: Config): Finding {
  const lacking = listAgents(config).flatMap((agent) => {
    const own: readonly string[] = agent.keys;
    const any: readonly string[] = own.length > 0 ? own : PRESETS[agent.preset].keys;
    return any.length === 0 || any.some((name) => stored.has(name)) ? [] : [`${agent.name} (${any.join(" or ")})`];
  });
  if (lacking.length === 0) return ok("secrets", "every agent's key is stored");
  return {
    check: "secrets",
    level: "problem",
    what: `no secret of the repository, or shared with it, for ${lacking.join(", ")}`,
    why: "Without its key an agent cannot work; its job ends at once and says so.",
    fix: "Store it under Settings, Secrets and variables, Actions, of the repository or of its organisation.",
  };
}

interface ActionsPolicy {
  readonly enabled: boolean;
  readonly allowed_actions?: string;
}

function checkPolicy(policy: ActionsPolicy): Finding {
  if (!policy.enabled)
    return {
      check: "actions",
      level: "problem",
      what: "Actions is disabled for the repository",
      why: `Every job runs in a workflow run of ${WORKFLOW_PATH}.`,
      fix: "Enable it under Settings, Actions, General.",
    };
  if (policy.allowed_actions === "local_only")
    return {
      check: "actions",
      level: "problem",
      what: "only actions of the same owner may run",
      why: "The workflow uses actions/checkout, actions/upload-artifact and the worker.",
      fix: "Allow these under Settings, Actions, General.",
    };
  if (policy.allowed_actions === "selected")
    return {
      check: "actions",
      level: "warning",
      what: "only selected actions may run",
      why: "The workflow uses actions/checkout, actions/upload-artifact and the worker.",
      fix: "See that taskfleet/taskfleet and actions by GitHub are among them.",
    };
  return ok("actions", "enabled, all actions may run");
}

function ignore(): void {}
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
