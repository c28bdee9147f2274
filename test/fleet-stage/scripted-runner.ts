/**
 * Actions without processes: every job of a run is answered at once, as agents that make no mistakes and
 * commands that pass would answer it. What is measured or broken then is the App, not the work.
 */
import type { Captures, CommandCapture } from "../../src/contracts/captures.ts";
import {
  ACCEPTANCE_OWNER,
  listAcceptanceChecks,
  listAcceptanceCriteria,
  listCriteria,
} from "../../src/contracts/criteria.ts";
import { type JobRequest, jobRequestSchema, RESULT_ARTIFACT, RESULT_FILE } from "../../src/contracts/job.ts";
import { formatRunName } from "../../src/contracts/names.ts";
import type { JobId } from "../../src/contracts/ids.ts";
import type { Chunk, Plan } from "../../src/contracts/plan.ts";
import { checklist } from "../../src/plan/checklist/checklist.ts";
import type { Runner } from "../../src/sandbox/runs/runner.ts";
import { makeZip } from "../github/make-zip.ts";

export type Acceptance = Plan["acceptance"];

const acceptance: Acceptance = [
  { kind: "check", desc: "All tests pass", run: "tests" },
  { kind: "assertion", desc: "Every part is there" },
];

/** Chunks `c0`…, each with a file and a test of its own; `chain`: each waits for the one before. */
export function buildChunks(count: number, shape: "wide" | "chain" = "wide"): readonly Chunk[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `c${index}`;
    return {
      id,
      title: `Build ${id}`,
      deps: shape === "chain" && index > 0 ? [`c${index - 1}`] : [],
      tier: "code",
      brief: `Write ${id} so that it does what its tests say.`,
      files_touched: [`src/${id}.js`, `test/${id}.test.js`],
      checks: [{ desc: `${id} works`, run: `check ${id}` }],
      assertions: [`${id} refuses an empty input`],
      requires_tests: true,
    };
  });
}

export interface ScriptedRunnerOptions {
  /** The plan of a run, by its key. */
  readonly chunks: (run: string) => readonly Chunk[];
  /** How long a job takes, in ms; 0 by default. */
  readonly delayMs?: number;
  /** Every job that was answered, in order. */
  readonly onJob?: (request: JobRequest) => void;
}

export function createScriptedRunner(options: ScriptedRunnerOptions): Runner {
  return async (request, host, signal) => {
    const inputs = request.event.name === "workflow_dispatch" ? request.event.inputs : {};
    const job = jobRequestSchema.parse(JSON.parse(inputs["request"] ?? "null"));
    const runName = formatRunName(job.role, job.job as JobId);
    const id = host.jobStarted({ name: job.role });
    if (options.delayMs !== undefined && options.delayMs > 0) await wait(options.delayMs, signal);
    options.onJob?.(job);
    host.saveArtifact(RESULT_ARTIFACT, await makeZip({ [RESULT_FILE]: JSON.stringify(answer(job, options)) }));
    host.jobCompleted(id, "success");
    return { conclusion: "success", runName };
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function answer(request: JobRequest, options: ScriptedRunnerOptions): object {
  const agent = request.role !== "baseline" && request.role !== "floor";
  return {
    v: 1,
    job: request.job,
    commit: request.commit,
    outcome: "done",
    role: request.role,
    summary: `Did ${request.role}.`,
    usage: agent ? { inputTokens: 1000, outputTokens: 100, usd: 0.01, model: request.model ?? null } : null,
    payload: work(request, options.chunks(request.run)),
  };
}

function work(request: JobRequest, chunks: readonly Chunk[]): object {
  const chunk = chunks.find(({ id }) => id === request.chunk);
  switch (request.role) {
    case "baseline":
    case "floor":
      return { kind: "captures", captures: capture(request, chunks) };
    case "plan":
      return { kind: "text", text: JSON.stringify(buildDraft(chunks)) };
    case "plan-review":
      return {
        kind: "text",
        text: JSON.stringify({
          v: 1,
          job: request.job,
          lens: request.lens,
          result: "pass",
          findings: [],
          summary: "Read it all.",
        }),
      };
    case "implement":
      return {
        kind: "change-set",
        changeSet: {
          v: 1,
          base: request.commit,
          entries: (chunk?.files_touched ?? []).map((path) => ({
            kind: "write",
            path,
            mode: "100644",
            encoding: "utf-8",
            content: formatContent(path),
          })),
        },
      };
    case "review":
      return {
        kind: "text",
        text: JSON.stringify(judge(request, listCriteria(chunk ?? { checks: [] }), chunk?.files_touched ?? [])),
      };
    case "final-review":
      return {
        kind: "text",
        text: JSON.stringify(
          judge(
            request,
            listAcceptanceCriteria(acceptance),
            chunks.flatMap((one) => one.files_touched),
          ),
        ),
      };
  }
}

function formatContent(path: string): string {
  return path.startsWith("test/")
    ? `test("${path}", () => {\n  assert.equal(1, 1);\n});\n`
    : `export const name = "${path}";\n`;
}

function buildDraft(chunks: readonly Chunk[]): object {
  return {
    kind: "plan",
    triage: chunks.length === 1 ? "simple" : "complex",
    title: "Some parts",
    goal: "People have every part.",
    task_brief: { type: "backend", complexity: "low", ambiguities: [] },
    chunks,
    acceptance,
    requirements: [{ text: "All parts", chunks: chunks.map(({ id }) => id) }],
    assignments: Object.fromEntries(chunks.map(({ id }) => [id, "default"])),
    checklist: chunks.length === 1 ? [] : checklist.map(({ id }) => ({ item: id, why_not: "it does not concern it" })),
  };
}

function judge(request: JobRequest, criteria: readonly string[], files: readonly string[]): object {
  const path = files[0] ?? "";
  const evidence = { path, start: 1, end: 1, quote: formatContent(path).split("\n")[0] ?? "" };
  return {
    v: 1,
    job: request.job,
    commit: request.commit,
    result: "pass",
    criteria: criteria.map((_, criterion) => ({
      criterion,
      result: "pass",
      implementation: [evidence],
      tests: [{ check: 0 }],
    })),
    findings: [],
    files_reviewed: files,
    summary: "Read it all.",
    ...(request.role === "final-review" ? { chunks: [] } : {}),
  };
}

function capture(request: JobRequest, chunks: readonly Chunk[]): Captures {
  const cases = ["base works", "base counts"].map((name) => ({
    package: "app",
    kind: "test",
    target: "test/base.test.js",
    name,
    status: "passed" as const,
  }));
  const wanted = chunks.filter(({ id }) => request.checks?.chunks.includes(id) === true);
  const overall = request.checks?.acceptance === true ? listAcceptanceChecks(acceptance) : [];
  return {
    v: 1,
    commit: request.commit,
    toolchain: "node v24.22.3",
    runner: "ubuntu-24.04",
    setup: null,
    typecheck: command("types"),
    tests: { capture: command("tests"), report: { problems: [], announced: cases.length, cases } },
    lint: { capture: command("lint"), report: { problems: [], findings: [] } },
    enumeration: {
      capture: command("targets"),
      targets: [{ package: "app", kind: "test", target: "test/base.test.js" }],
    },
    coverage: null,
    checks: [
      ...wanted.flatMap(({ id, checks }) =>
        checks.map((check, index) => ({
          owner: id,
          index,
          desc: check.desc,
          expectExit: check.expect_exit ?? 0,
          capture: command(check.run),
        })),
      ),
      ...overall.map((check, index) => ({
        owner: ACCEPTANCE_OWNER,
        index,
        desc: check.desc,
        expectExit: check.expect_exit ?? 0,
        capture: command(check.run),
      })),
    ],
    assertions: [],
    suppressions: [],
  };
}

function command(text: string): CommandCapture {
  return {
    command: text,
    exit: 0,
    signal: null,
    timedOut: false,
    spawnError: null,
    durationMs: 1000,
    output: "",
    outputBytes: 0,
  };
}
