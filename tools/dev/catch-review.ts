/**
 * `npm run catch -- --review [--json] [--only TEXT] [--agent command|claude|codex|gemini|opencode|copilot]
 * [--model NAME] [--repeat N]`: has a reviewer judge changes that pass every floor. Some hold a seeded
 * defect, the others are honest; every verdict is verified as the App does. Without `--agent` the program
 * of the sandbox's sample reviews: it proves the path, it is no model. Another agent needs its key in the
 * environment and costs money. The last line is one JSON object with the rates per model.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, configSchema } from "../../src/contracts/config.ts";
import { listCriteria } from "../../src/contracts/criteria.ts";
import type { JobRequest } from "../../src/contracts/job.ts";
import { MODEL_KEYS, type ModelKey } from "../../src/contracts/model-keys.ts";
import { isTestFile } from "../../src/contracts/test-files.ts";
import { parseDiffLines } from "../../src/fleet/results/diff-lines.ts";
import { buildPlan, formatPlan } from "../../src/plan/build-plan.ts";
import type { ReviewedChange } from "../../src/review/locate-evidence.ts";
import { verifyVerdict } from "../../src/review/verify-verdict.ts";
import { JobStopped, type RoleOutcome } from "../../src/worker/roles/job-context.ts";
import { review } from "../../src/worker/roles/review.ts";
import { buildRepository, type Repository } from "../../test/catch/build-repository.ts";
import type { ReviewScenario } from "../../test/catch/review/review-scenario.ts";
import { reviewScenarios } from "../../test/catch/review/review-scenarios.ts";

/** What came of one review; `void`: a verdict whose evidence is not there; `broken`: no verdict at all. */
type Verdict = "pass" | "fail" | "void" | "broken";

interface Outcome {
  readonly scenario: ReviewScenario;
  readonly verdict: Verdict;
  readonly model: string;
  readonly why: string;
}

const JOB = "1-catch/review:change/1";
const SAMPLE = fileURLToPath(new URL("../../src/sandbox/sample/files/agents/agent.mjs", import.meta.url));

export async function catchReviews(args: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const preset = option("agent") ?? "command";
  const model = option("model") ?? "";
  const repeat = Number(option("repeat") ?? 1);
  const only = option("only") ?? "";
  const config = configSchema.parse({
    agents: [{ name: "reviewer", preset, ...(preset === "command" ? { command: [process.execPath, SAMPLE] } : {}) }],
  });
  const wanted = reviewScenarios.filter(({ about, title, verdict }) => `${verdict} ${about} ${title}`.includes(only));
  const started = performance.now();
  const outcomes: Outcome[] = [];
  for (const scenario of wanted)
    for (let count = 0; count < repeat; count += 1) {
      const outcome = await judge(scenario, config, model);
      outcomes.push(outcome);
      report(outcome, args.includes("--json"));
    }
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(JSON.stringify({ agent: preset, models: rate(outcomes), seconds }));
  // A reviewer that misses is a figure; one that gives no verdict at all means that the path is broken.
  if (outcomes.length === 0 || outcomes.some(({ verdict }) => verdict === "broken")) process.exitCode = 1;
}

async function judge(scenario: ReviewScenario, config: Config, model: string): Promise<Outcome> {
  const repository = buildRepository(scenario.base);
  const scratch = await mkdtemp(path.join(tmpdir(), "taskfleet-review-"));
  try {
    const base = repository.commit(null, {});
    const commit = repository.commit(base, scenario.change);
    const outcome = await ask(scenario, { repository, base, commit, scratch, config, model });
    if (outcome.outcome !== "done" || outcome.payload.kind !== "text")
      return { scenario, verdict: "broken", model, why: outcome.outcome === "done" ? "no text" : outcome.cause };
    const result = verifyVerdict({
      raw: outcome.payload.text,
      job: JOB,
      commit,
      criteria: listCriteria(scenario.chunk),
      checks: scenario.chunk.checks.map(({ desc }, index) => ({ index, desc, passed: true })),
      changes: listChanges(repository, base, commit),
      readFile: (file) => readFile(repository, commit, file),
      isTestFile: (file) => isTestFile(file, []),
    });
    const used = outcome.usage?.model ?? model;
    if (result.outcome === "void") return { scenario, verdict: "void", model: used, why: result.reasons.join("; ") };
    const failed = result.criteria.filter((criterion) => criterion.result === "fail").map((one) => one.found ?? "");
    const blocking = result.findings.filter((finding) => finding.severity === "blocking").map((one) => one.title);
    return { scenario, verdict: result.outcome, model: used, why: [...failed, ...blocking].join("; ") };
  } finally {
    repository.remove();
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Setting {
  readonly repository: Repository;
  readonly base: string;
  readonly commit: string;
  readonly scratch: string;
  readonly config: Config;
  readonly model: string;
}

/** The worker's own role, as in a workflow run: empty folder, tree as data, nothing but the specification. */
async function ask(scenario: ReviewScenario, setting: Setting): Promise<RoleOutcome> {
  const { base, commit, model } = setting;
  const request: JobRequest = {
    v: 1,
    role: "review",
    run: "1-catch",
    job: JOB,
    planRev: 1,
    commit,
    base,
    chunk: scenario.chunk.id,
    agent: "reviewer",
    model,
    documents: {},
  };
  const keys = new Map<ModelKey, string>();
  for (const name of MODEL_KEYS) {
    const value = process.env[name];
    if (value !== undefined && value !== "") keys.set(name, value);
  }
  const hidden = new Set<string>(MODEL_KEYS);
  try {
    return await review({
      request,
      config: setting.config,
      root: setting.repository.root,
      scratch: setting.scratch,
      keys,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name))),
      signal: new AbortController().signal,
      addSecret: () => undefined,
      loadDocument: async (title) => (title === "plan" ? formatPlan(buildWholePlan(scenario, base)) : null),
      isolation: "if-possible",
    });
  } catch (error) {
    if (!(error instanceof JobStopped)) throw error;
    return { outcome: "external", cause: error.message, usage: null };
  }
}

function buildWholePlan({ chunk }: ReviewScenario, base: string): ReturnType<typeof buildPlan> {
  const hash = `sha256:${"0".repeat(64)}`;
  return buildPlan(
    { chunks: [chunk], acceptance: [{ kind: "check", desc: "all tests pass", run: "npm test" }] },
    {
      planRev: 1,
      intentRev: 1,
      feature: { slug: "catch", source_branch: "main", integration_branch: "taskfleet/1-catch/integration" },
      baseline: {
        ref: "taskfleet/1-catch/integration@fork",
        commit_oid: base,
        toolchain: process.version,
        test_passlist_hash: hash,
        clippy_warnings_hash: hash,
        enumerated_targets_hash: hash,
      },
    },
  );
}

function runGit({ root }: Repository, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function listChanges(repository: Repository, base: string, commit: string): readonly ReviewedChange[] {
  const fields = runGit(repository, "diff", "--no-renames", "--name-status", "-z", base, commit).split("\0");
  const changes: ReviewedChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const file = fields[index + 1] ?? "";
    const patch = runGit(repository, "diff", "--no-renames", base, commit, "--", file);
    const kind = fields[index] === "A" ? "add" : fields[index] === "D" ? "delete" : "modify";
    const isText = kind !== "delete" && !/^Binary files /mu.test(patch);
    changes.push({ path: file, kind, addedLines: [...parseDiffLines(patch).added], isText });
  }
  return changes;
}

function readFile(repository: Repository, commit: string, file: string): string | null {
  try {
    return runGit(repository, "show", `${commit}:${file}`);
  } catch {
    return null;
  }
}

function rate(outcomes: readonly Outcome[]): Readonly<Record<string, object>> {
  const models = [...new Set(outcomes.map(({ model }) => model))].sort();
  return Object.fromEntries(
    models.map((model) => {
      const own = outcomes.filter((outcome) => outcome.model === model);
      const judged = own.filter(({ verdict }) => verdict === "pass" || verdict === "fail");
      const defects = judged.filter(({ scenario }) => scenario.verdict === "defect");
      const honest = judged.filter(({ scenario }) => scenario.verdict === "honest");
      const caught = defects.filter(({ verdict }) => verdict === "fail");
      const alarms = honest.filter(({ verdict }) => verdict === "fail");
      return [
        model === "" ? "default" : model,
        {
          defects: defects.length,
          caught: caught.length,
          catchRate: formatRate(caught.length, defects.length),
          missed: defects.filter(({ verdict }) => verdict === "pass").map(label),
          honest: honest.length,
          falseAlarms: alarms.map(label),
          falseAlarmRate: formatRate(alarms.length, honest.length),
          void: own.filter(({ verdict }) => verdict === "void").map(label),
          broken: own.filter(({ verdict }) => verdict === "broken").map(label),
        },
      ];
    }),
  );
}

function formatRate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000;
}

function label({ scenario }: Outcome): string {
  return `${scenario.about}: ${scenario.title}`;
}

function report(outcome: Outcome, quiet: boolean): void {
  const { scenario, verdict, why } = outcome;
  const right = verdict === (scenario.verdict === "defect" ? "fail" : "pass");
  if (quiet && verdict !== "broken") return;
  const print = quiet ? console.error : console.log;
  print(`${right ? "ok   " : "WRONG"} ${scenario.verdict.padEnd(6)} ${label(outcome)} -> ${verdict}`);
  if (why !== "") print(`       ${why.replaceAll(/\s+/gu, " ").slice(0, 300)}`);
}
