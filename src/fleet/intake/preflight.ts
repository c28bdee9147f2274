/** What must be in place before a run begins, each with why and how to mend it. */
import { createHash } from "node:crypto";
import { parse } from "yaml";
import type { Config } from "../../contracts/config.ts";
import type { RunKey } from "../../contracts/ids.ts";
import { formatBranch, WORKFLOW_PATH } from "../../contracts/names.ts";
import type { Repository, RepositoryPort } from "../../github/port.ts";

export interface PreflightProblem {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export interface Preflight {
  readonly problems: readonly PreflightProblem[];
  /** Names this set of problems. */
  readonly hash: string;
}

export async function checkPreflight(
  repository: RepositoryPort,
  about: Repository,
  run: {
    readonly run: RunKey;
    /** Runs of the issue that GitHub shows and the store does not know. */
    readonly unknown?: readonly RunKey[];
    readonly source: string;
    /** Its agents' skills and servers are looked up. */
    readonly config: Config;
  },
): Promise<Preflight> {
  const problems: PreflightProblem[] = [];
  const workflow = await repository.loadFile(WORKFLOW_PATH, about.defaultBranch);
  if (workflow === null)
    problems.push({
      what: `The workflow file \`${WORKFLOW_PATH}\` is not on \`${about.defaultBranch}\`.`,
      why: "Every job runs in a workflow run of this file.",
      fix: "Run `taskfleet init` in a clone and merge what it writes.",
    });
  else {
    const wrong = checkWorkflow(workflow.text);
    if (wrong !== null)
      problems.push({
        what: `The workflow file \`${WORKFLOW_PATH}\` cannot be dispatched: ${wrong}`,
        why: "Jobs are started by `workflow_dispatch` with the inputs `role`, `request` and `job`.",
        fix: "Run `taskfleet init` again, or restore the file as it was installed.",
      });
    const known = await repository.loadWorkflow(WORKFLOW_PATH);
    if (known !== null && known.state !== "active")
      problems.push({
        what: `The workflow \`${WORKFLOW_PATH}\` is ${known.state.replaceAll("_", " ")}.`,
        why: "GitHub starts no runs of a disabled workflow.",
        fix: "Enable it on the repository's Actions page.",
      });
  }
  if ((await repository.loadBranch(run.source)) === null)
    problems.push({
      what: `The branch \`${run.source}\` does not exist.`,
      why: "Features start from it and land on it.",
      fix: "Set `source` in `.github/taskfleet.yml` to an existing branch.",
    });
  for (const key of [...(run.unknown ?? []), run.run]) {
    const branch = formatBranch({ kind: "integration", run: key });
    if ((await repository.loadBranch(branch)) === null) continue;
    problems.push({
      what: `The branch \`${branch}\` exists already, of a run the App knows nothing of.`,
      why: "A second run would do the same work again, beside the first one's or over it.",
      fix: "If the App has lost its database, its operator reads the run back with `taskfleet rebuild`; otherwise delete the branch.",
    });
  }
  const rules = await repository.loadBranchRules(formatBranch({ kind: "integration", run: run.run }));
  if (rules.length > 0)
    problems.push({
      what: `Rulesets cover \`taskfleet/**\` branches: ${rules.join(", ")}.`,
      why: "The App creates, updates and deletes branches below `taskfleet/`.",
      fix: "Exclude `taskfleet/**` from these rulesets, or let the App bypass them.",
    });
  problems.push(...(await checkEquipment(repository, about, run.config)));
  const hash = createHash("sha256").update(JSON.stringify(problems)).digest("hex").slice(0, 12);
  return { problems, hash };
}

/** Skills and programs of MCP servers that agents list and the default branch does not hold. */
async function checkEquipment(
  repository: RepositoryPort,
  about: Repository,
  config: Config,
): Promise<readonly PreflightProblem[]> {
  const problems: PreflightProblem[] = [];
  const skills = new Set(config.agents.flatMap((agent) => agent.skills));
  for (const skill of skills) {
    const file = `${config.skills[skill] ?? ""}/SKILL.md`;
    if ((await repository.loadFile(file, about.defaultBranch)) === null)
      problems.push({
        what: `The skill \`${skill}\` has no \`${file}\` on \`${about.defaultBranch}\`.`,
        why: "An agent is handed exactly the skills its entry in the configuration lists.",
        fix: `Add the file, or take \`${skill}\` out of the agents' \`skills\`.`,
      });
  }
  const servers = new Set(config.agents.flatMap((agent) => agent.mcps));
  for (const server of servers) {
    const { command = "", args = [] } = config.mcps[server] ?? {};
    for (const part of [command, ...args]) {
      const file = /^\{tools\}\/(.+)$/u.exec(part)?.[1];
      if (file === undefined || (await repository.loadFile(file, about.defaultBranch)) !== null) continue;
      problems.push({
        what: `The MCP server \`${server}\` starts \`${file}\`, which is not on \`${about.defaultBranch}\`.`,
        why: "`{tools}` is the tree of the default branch.",
        fix: `Add the file, or mend \`mcps.${server}\` in \`.github/taskfleet.yml\`.`,
      });
    }
  }
  return problems;
}

/** Why a workflow file cannot carry our jobs, or null. */
function checkWorkflow(text: string): string | null {
  let document: unknown;
  try {
    document = parse(text.replace(/^\uFEFF/u, "")) as unknown;
  } catch (error) {
    return `it is not valid YAML (${error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unreadable"})`;
  }
  const triggers = readKey(document, "on");
  const dispatch = readKey(triggers, "workflow_dispatch");
  if (dispatch === undefined) return "it has no `workflow_dispatch` trigger";
  const inputs = readKey(dispatch, "inputs");
  const missing = ["role", "request", "job"].filter((name) => readKey(inputs, name) === undefined);
  return missing.length === 0 ? null : `it lacks the inputs ${missing.map((name) => `\`${name}\``).join(", ")}`;
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
