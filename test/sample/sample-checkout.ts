/** A checkout of the sample repository, with its agents started as a job starts them. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { AgentRequest } from "../../src/contracts/agent-request.ts";
import { agentRequestSchema } from "../../src/contracts/agent-request.ts";
import { listAcceptanceCriteria, listCriteria } from "../../src/contracts/criteria.ts";
import { parseConfig } from "../../src/contracts/parse-config.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import { type PlanProposal, planDraftSchema } from "../../src/contracts/plan-draft.ts";
import { type Verdict, verdictSchema } from "../../src/contracts/verdict.ts";
import type { ReviewResult } from "../../src/contracts/review-result.ts";
import { isTestFile } from "../../src/contracts/test-files.ts";
import { verifyVerdict } from "../../src/review/verify-verdict.ts";
import { copySample } from "../../src/sandbox/sample/copy-sample.ts";
import { loadSampleIssue, type Scenario } from "../../src/sandbox/sample/sample-issue.ts";

const run = promisify(execFile);
const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

export interface Checkout {
  readonly root: string;
  git(...args: readonly string[]): Promise<string>;
  commit(message: string): Promise<string>;
  changedFiles(since: string): Promise<readonly string[]>;
  /** A shell command in the checkout. */
  sh(command: string): Promise<CommandResult>;
  /** Runs the agent in a folder and gives back what it wrote to standard output. */
  askAgent(request: Record<string, unknown>, folder?: string): Promise<string>;
  readConfig(): Promise<ReturnType<typeof parseConfig>>;
  plan(scenario: Scenario, more?: Record<string, unknown>): Promise<PlanProposal>;
  implement(chunk: Chunk, attempt: number, feedback?: AgentRequest["feedback"]): Promise<string>;
  /** Judges HEAD against a base; `believed` is what the App makes of the verdict. */
  review(chunk: Chunk, base: string): Promise<Verdict & { readonly believed: ReviewResult }>;
  /** Judges everything since a base by the plan's acceptance items. */
  reviewFeature(plan: PlanProposal, base: string): Promise<Verdict>;
  remove(): Promise<void>;
}

export async function openCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-sample-"));
  const root = path.join(folder, "tally");
  // The agents run from their own copy, as in a job: what a chunk does to the tree is not what runs.
  const tools = path.join(folder, "tools");
  await mkdir(root);
  await copySample(root);
  await cp(path.join(root, "agents"), path.join(tools, "agents"), { recursive: true });

  const git = async (...args: readonly string[]): Promise<string> =>
    (await run("git", [...identity, ...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout;
  const sh = async (command: string): Promise<CommandResult> => {
    // Jest's own test context must not reach the sample's test runner.
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
    try {
      const { stdout, stderr } = await run("sh", ["-c", command], { cwd: root, env });
      return { code: 0, output: `${stdout}${stderr}` };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: `${stdout}${stderr}` };
    }
  };
  const commit = async (message: string): Promise<string> => {
    await git("add", "-A");
    await git("commit", "-q", "--allow-empty", "-m", message);
    return (await git("rev-parse", "HEAD")).trim();
  };
  const askAgent = async (request: Record<string, unknown>, where = root): Promise<string> => {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const text = JSON.stringify(agentRequestSchema.parse(request));
    const started = run(process.execPath, [path.join(tools, "agents/agent.mjs")], { cwd: where, env });
    started.child.stdin?.end(text);
    return (await started).stdout;
  };
  const common = async () => ({
    v: 1,
    job: "7-x/job/1",
    commit: (await git("rev-parse", "HEAD")).trim(),
    prompt: "",
    promptVersion: "test@1",
  });

  /** The App's own verification of a verdict's quotes, with the change read from git. */
  const believe = async (raw: string, { commit: head }: Verdict, chunk: Chunk, base: string): Promise<ReviewResult> => {
    const names = (await git("diff", "--name-only", base, head)).trim().split("\n");
    const texts = new Map<string, string>();
    for (const name of names) texts.set(name, await git("show", `${head}:${name}`));
    return verifyVerdict({
      raw,
      job: "7-x/job/1",
      commit: head,
      criteria: listCriteria(chunk),
      checks: chunk.checks.map((check, index) => ({ index, desc: check.desc, passed: true })),
      changes: names.map((name) => ({ path: name, kind: "modify", addedLines: [], isText: true })),
      readFile: (name) => texts.get(name) ?? null,
      isTestFile,
    });
  };

  /** What a reviewer's job gives its agent: the tree as files, and the change. */
  const openReadingRoom = async (base: string): Promise<string> => {
    const place = path.join(folder, "review");
    await rm(place, { recursive: true, force: true });
    await cp(root, path.join(place, "tree"), { recursive: true, filter: (file) => !file.endsWith("/.git") });
    await writeFile(path.join(place, "diff.patch"), await git("diff", base, "HEAD"));
    return place;
  };

  await git("init", "-q", "-b", "main");
  await commit("Start");

  return {
    root,
    git,
    commit,
    sh,
    askAgent,
    changedFiles: async (since) => {
      await git("add", "-A");
      return (await git("diff", "--name-only", "--cached", since)).split("\n").filter((line) => line !== "");
    },
    readConfig: async () => parseConfig(await readFile(path.join(root, ".github/taskfleet.yml"), "utf8")),
    plan: async (scenario, more = {}) => {
      const issue = await loadSampleIssue(scenario);
      const files = (await git("ls-files")).trim().split("\n").sort();
      const config = parseConfig(await readFile(path.join(root, ".github/taskfleet.yml"), "utf8"));
      const agents = config.config?.agents.map(({ name, description, paths }) => ({ name, description, paths }));
      const text = await askAgent({
        ...(await common()),
        role: "plan",
        intent: `# ${issue.title}\n\n${issue.body}`,
        files,
        agents,
        ...more,
      });
      const draft = planDraftSchema.parse(JSON.parse(text));
      if (draft.kind !== "plan") throw new Error(`no plan: ${text}`);
      return draft;
    },
    implement: async (chunk, attempt, feedback) =>
      await askAgent({ ...(await common()), role: "implement", chunk: describeChunk(chunk), attempt, feedback }),
    reviewFeature: async (plan, base) => {
      const place = await openReadingRoom(base);
      const criteria = listAcceptanceCriteria(plan.acceptance);
      const text = await askAgent({ ...(await common()), role: "final-review", base, criteria, plan }, place);
      return verdictSchema.parse(JSON.parse(text));
    },
    review: async (chunk, base) => {
      const place = await openReadingRoom(base);
      const text = await askAgent(
        { ...(await common()), role: "review", base, chunk: describeChunk(chunk), criteria: listCriteria(chunk) },
        place,
      );
      const verdict = verdictSchema.parse(JSON.parse(text));
      return { ...verdict, believed: await believe(text, verdict, chunk, base) };
    },
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}

function describeChunk(chunk: Chunk) {
  return {
    id: chunk.id,
    title: chunk.title,
    brief: chunk.brief,
    files: chunk.files_touched,
    checks: chunk.checks,
    assertions: chunk.assertions ?? [],
    requires_tests: chunk.requires_tests ?? false,
    tier: chunk.tier,
  };
}
