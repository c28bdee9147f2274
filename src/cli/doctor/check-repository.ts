/** One repository: what the App itself can see of it. */
import type { Octokit } from "../../github/octokit-source.ts";
import type { RepositoryPort } from "../../github/port.ts";
import { checkPreflight } from "../../fleet/intake/preflight.ts";
import { type ConfigSource, loadConfig } from "../../fleet/intake/load-config.ts";
import { type Config, defaultConfig } from "../../contracts/config.ts";
import { formatRunKey } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import { checkWorkflowFile } from "./check-workflow-file.ts";
import { type Finding, ok } from "./finding.ts";

export interface CheckedRepository {
  readonly findings: readonly Finding[];
  /** null when it cannot be read. */
  readonly config: Config | null;
}

/** @param octokit with the installation's token. */
export async function checkRepository(port: RepositoryPort, octokit: Octokit): Promise<CheckedRepository> {
  const about = await port.loadRepository();
  const findings: Finding[] = [];
  if (about.archived)
    findings.push({
      check: "repository",
      level: "problem",
      what: "the repository is archived",
      why: "Nothing can be written to it.",
      fix: "Unarchive it on its settings page.",
    });
  else findings.push(ok("repository", `${about.owner}/${about.name}, default branch ${about.defaultBranch}`));
  const loaded = await loadConfig(port, about);
  const config = loaded.outcome === "read" ? loaded.config : null;
  findings.push(
    loaded.outcome === "read"
      ? ok("config", describeLayers(loaded.layers))
      : {
          check: "config",
          level: "problem",
          what: loaded.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; "),
          why: "No run starts with a configuration that cannot be read as it was meant.",
          fix: "Correct .github/taskfleet.yml on the default branch, or the file it extends.",
        },
  );
  if (loaded.outcome === "read" && loaded.passedOver !== null)
    findings.push({
      check: "shared-config",
      level: "warning",
      what: `${loaded.passedOver} is in a private repository and does not count here, where everybody can read`,
      why: "What a run works with is committed beside its work, so a public repository takes nothing from a private one.",
      fix: "Give this repository a .github/taskfleet.yml of its own, or make the shared repository public.",
    });
  const source = config?.source ?? about.defaultBranch;
  // The very checks that stand between a label and a run.
  const run = formatRunKey(1, 1, "doctor");
  const { problems } = await checkPreflight(port, about, { run, source, config: config ?? defaultConfig() });
  findings.push(
    ...problems.map((problem): Finding => ({ check: "preflight", level: "problem", ...problem })),
    ...(problems.length === 0 ? [ok("preflight", "a labelled issue would start a run")] : []),
    ...(await checkWorkflowFile(port, about.defaultBranch)),
    ...(config === null ? [] : checkFloor(config)),
  );
  const ref = { owner: about.owner, repo: about.name };
  const { data } = await octokit.request("GET /repos/{owner}/{repo}", ref);
  findings.push(...checkMerging(data, config), ...(await checkSource(octokit, ref, source, run, config)));
  return { findings, config };
}

/** Where each setting comes from; what no file gives has its default. */
function describeLayers(layers: readonly ConfigSource[]): string {
  if (layers.length === 0) return "no file: everything has its default";
  const parts = layers.map(({ where, keys }) => `${keys.length === 0 ? "nothing" : keys.join(", ")} from ${where}`);
  return `valid: ${parts.join("; ")}`;
}

function checkFloor({ floor }: Config): readonly Finding[] {
  const missing = (["typecheck", "test", "lint", "enumerate"] as const).filter((name) => floor[name] === undefined);
  if (missing.length === 0) return [ok("floor", "every gate has its command")];
  return [
    {
      check: "floor",
      level: "warning",
      what: `no command for ${missing.join(", ")} (what can be detected is used)`,
      why: "A gate that is not configured says so, and every plan then waits for a person.",
      fix: "Name the commands under `floor:` in .github/taskfleet.yml.",
    },
  ];
}

interface MergeSettings {
  readonly allow_merge_commit?: boolean | undefined;
  readonly allow_squash_merge?: boolean | undefined;
  readonly squash_merge_commit_message?: string | undefined;
}

function checkMerging(settings: MergeSettings, config: Config | null): readonly Finding[] {
  const method = config?.merge.method ?? "merge";
  const allowed = method === "merge" ? settings.allow_merge_commit : settings.allow_squash_merge;
  const findings: Finding[] = [];
  if (allowed === false)
    findings.push({
      check: "merge-method",
      level: config?.merge.feature === "auto" ? "problem" : "warning",
      what: `the repository does not allow ${method === "merge" ? "merge commits" : "squash merges"}`,
      why: "The feature could not be merged the way the configuration says.",
      fix: "Allow it under Settings, Pull Requests, or change `merge.method`.",
    });
  else findings.push(ok("merge-method", `${method} is allowed`));
  // A squash that copies our commits' messages copies `skip-checks: true`, and the source branch's CI does not start.
  if (settings.allow_squash_merge === true && settings.squash_merge_commit_message === "COMMIT_MESSAGES")
    findings.push({
      check: "squash-message",
      level: "warning",
      what: "squash merges copy the messages of all commits",
      why: "Taskfleet's commits carry `skip-checks: true`; copied, it keeps the source branch's own CI from starting.",
      fix: "Set the default squash message to the pull request's title or description.",
    });
  return findings;
}

async function checkSource(
  octokit: Octokit,
  ref: { readonly owner: string; readonly repo: string },
  source: string,
  run: ReturnType<typeof formatRunKey>,
  config: Config | null,
): Promise<readonly Finding[]> {
  const load = async (branch: string): Promise<ReadonlySet<string>> => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/rules/branches/{branch}", { ...ref, branch });
    return new Set<string>(data.map(({ type }) => type));
  };
  const findings: Finding[] = [];
  const own = await load(formatBranch({ kind: "integration", run }));
  const rules = await load(source);
  if (own.has("required_signatures") || rules.has("required_signatures"))
    findings.push({
      check: "signatures",
      level: "unknown",
      what: "rulesets demand signed commits",
      why: "GitHub signs an App's commits as long as author and committer are left to it, which Taskfleet does.",
      fix: "Look at the first run's commits: they must be shown as verified.",
    });
  const needPull = ["pull_request", "merge_queue", "required_status_checks"].filter((rule) => rules.has(rule));
  if (config?.merge.feature === "auto" && needPull.length > 0)
    findings.push({
      check: "source-rules",
      level: "warning",
      what: `rulesets on ${source} demand ${needPull.join(", ")}`,
      why: "The App cannot move the branch itself; it merges the pull request, when the rules let it.",
      fix: "Let the App bypass the ruleset, or leave the merge to people (`merge.feature: human`).",
    });
  return findings;
}
