/** Jobs answered by a script instead of processes: honest by default, and as wrong as a test wants. */
import { zipSync, strToU8 } from "fflate";
import { execFileSync } from "node:child_process";
import { RESULT_ARTIFACT, RESULT_FILE, type JobRequest, jobRequestSchema } from "../../src/contracts/job.ts";
import type { Captures, CheckCapture, CommandCapture } from "../../src/contracts/captures.ts";
import { ACCEPTANCE_OWNER, listAcceptanceChecks, listCriteria } from "../../src/contracts/criteria.ts";
import type { Chunk, Plan } from "../../src/contracts/plan.ts";
import { checklist } from "../../src/plan/checklist/checklist.ts";
import type { Conclusion } from "../../src/sandbox/actions/runner-host.ts";
import type { Runner } from "../../src/sandbox/runs/runner.ts";

/** What a job answers: a whole result, a payload for its role, or bytes put into the artifact as they are. */
export type Answer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "payload"; readonly payload: unknown }
  | { readonly kind: "zip"; readonly bytes: Uint8Array }
  | { readonly kind: "nothing" };

export interface Job {
  readonly request: JobRequest;
  /** Reads a git object of the repository: a blob by its name, a file by `commit:path`. */
  readonly show: (object: string) => string;
}

/** null = the honest answer. */
export type Script = (job: Job) => Answer | null;

/** How the workflow run of a job ends, whatever it answered. */
export type Conclude = (request: JobRequest) => Conclusion;

export interface ScriptedPlan {
  readonly chunks: readonly Chunk[];
  readonly acceptance: Plan["acceptance"];
}

export const ONE_CHUNK: ScriptedPlan = {
  chunks: [
    {
      id: "greeting",
      title: "Greet by name",
      tier: "code",
      brief: "Add src/greeting.txt with the line `hello` and test/greeting.test.txt that asserts it.",
      files_touched: ["src/greeting.txt", "test/greeting.test.txt"],
      checks: [{ desc: "the greeting says hello", run: "grep -q hello src/greeting.txt" }],
    },
  ],
  acceptance: [{ kind: "check", desc: "the greeting is there", run: "test -f src/greeting.txt" }],
};

/** @param gitDir finds the bare repository of a request; null before it exists. */
export function createScriptedRunner(
  gitDir: () => string,
  plan: ScriptedPlan,
  script: Script,
  seen: JobRequest[],
  conclude: Conclude = () => "success",
): Runner {
  return async (run, host) => {
    const inputs = run.event.name === "workflow_dispatch" ? run.event.inputs : {};
    const name = `taskfleet ${inputs["role"] ?? ""} ${inputs["job"] ?? ""}`;
    const id = host.jobStarted({ name: "job" });
    const request = jobRequestSchema.parse(JSON.parse(inputs["request"] ?? "{}"));
    seen.push(request);
    const show = (object: string): string =>
      execFileSync("git", ["--git-dir", gitDir(), "show", object], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    const job: Job = { request, show };
    const answer = script(job) ?? { kind: "payload", payload: answerHonestly(job, plan) };
    if (answer.kind === "zip") host.saveArtifact(RESULT_ARTIFACT, answer.bytes);
    else if (answer.kind !== "nothing") {
      const result =
        answer.kind === "result"
          ? answer.result
          : {
              v: 1,
              job: request.job,
              commit: request.commit,
              outcome: "done",
              role: request.role,
              summary: "done",
              usage: null,
              payload: answer.payload,
            };
      host.saveArtifact(RESULT_ARTIFACT, zipSync({ [RESULT_FILE]: strToU8(JSON.stringify(result)) }));
    }
    const conclusion = conclude(request);
    host.jobCompleted(id, conclusion);
    return { conclusion, runName: name };
  };
}

export function unusable(request: JobRequest, cause: string): Answer {
  return {
    kind: "result",
    result: {
      v: 1,
      job: request.job,
      commit: request.commit,
      outcome: "unusable",
      role: request.role,
      cause,
      usage: null,
    },
  };
}

export function changeSet(request: JobRequest, entries: readonly unknown[]): Answer {
  return { kind: "payload", payload: { kind: "change-set", changeSet: { v: 1, base: request.commit, entries } } };
}

export function write(path: string, content: string, mode = "100644"): unknown {
  return { kind: "write", path, mode, encoding: "utf-8", content };
}

export function text(value: unknown): Answer {
  return {
    kind: "payload",
    payload: { kind: "text", text: typeof value === "string" ? value : JSON.stringify(value) },
  };
}

export function buildDraft(plan: ScriptedPlan): unknown {
  return {
    kind: "plan",
    triage: plan.chunks.length === 1 ? "simple" : "complex",
    title: "Greetings",
    goal: "The program greets.",
    task_brief: { type: "other", complexity: "low" },
    chunks: plan.chunks,
    acceptance: plan.acceptance,
    requirements: [{ text: "it greets", chunks: plan.chunks.map((chunk) => chunk.id) }],
    checklist:
      plan.chunks.length === 1 ? [] : checklist.map(({ id }) => ({ item: id, why_not: "nothing of the kind" })),
  };
}

export function answerHonestly({ request, show }: Job, plan: ScriptedPlan): unknown {
  switch (request.role) {
    case "plan":
      return { kind: "text", text: JSON.stringify(buildDraft(plan)) };
    case "plan-review":
      return {
        kind: "text",
        text: JSON.stringify({
          v: 1,
          job: request.job,
          lens: request.lens,
          result: "pass",
          findings: [],
          summary: "fine",
        }),
      };
    case "baseline":
      return { kind: "captures", captures: buildCaptures(request, []) };
    case "floor":
      return { kind: "captures", captures: buildCaptures(request, listChecks(request, plan)) };
    case "implement": {
      const chunk = plan.chunks.find((entry) => entry.id === request.chunk);
      const entries = (chunk?.files_touched ?? []).map((path) =>
        write(path, path.startsWith("test/") ? "assert hello\n" : "hello\n"),
      );
      return { kind: "change-set", changeSet: { v: 1, base: request.commit, entries } };
    }
    case "review":
    case "final-review":
      return { kind: "text", text: JSON.stringify(buildVerdict(request, plan, show)) };
  }
}

function listChecks(request: JobRequest, plan: ScriptedPlan): CheckCapture[] {
  const own = plan.chunks
    .filter((chunk) => request.checks?.chunks.includes(chunk.id))
    .flatMap((chunk) => chunk.checks.map((check, index) => ({ owner: chunk.id, index, check })));
  const acceptance =
    request.checks?.acceptance === true
      ? listAcceptanceChecks(plan.acceptance).map((check, index) => ({ owner: ACCEPTANCE_OWNER, index, check }))
      : [];
  return [...own, ...acceptance].map(({ owner, index, check }) => ({
    owner,
    index,
    desc: check.desc,
    expectExit: check.expect_exit ?? 0,
    capture: ran(check.run, 0),
  }));
}

export function ran(command: string, exit: number): CommandCapture {
  return { command, exit, signal: null, timedOut: false, spawnError: null, durationMs: 1, output: "", outputBytes: 0 };
}

export function buildCaptures(request: JobRequest, checks: readonly CheckCapture[]): Captures {
  const report = {
    problems: [],
    announced: 1,
    cases: [{ package: "", kind: "test", target: "test/old.test.txt", name: "works", status: "passed" as const }],
  };
  return {
    v: 1,
    commit: request.commit,
    toolchain: "shell v1.0.0",
    runner: "scripted",
    setup: null,
    typecheck: null,
    tests: { capture: ran("run-tests", 0), report },
    lint: null,
    enumeration: null,
    coverage: null,
    checks: [...checks],
    assertions: [],
    suppressions: [],
  };
}

function buildVerdict(request: JobRequest, plan: ScriptedPlan, show: Job["show"]): unknown {
  const chunk = plan.chunks.find((entry) => entry.id === request.chunk) ?? plan.chunks[0];
  const criteria =
    request.role === "review" && chunk !== undefined
      ? listCriteria(chunk)
      : listAcceptanceChecks(plan.acceptance).map((check) => check.desc);
  const path = chunk?.files_touched[0] ?? "";
  const quote = show(`${request.commit}:${path}`).split("\n")[0] ?? "";
  const evidence = { path, start: 1, end: 1, quote };
  return {
    v: 1,
    job: request.job,
    commit: request.commit,
    result: "pass",
    criteria: criteria.map((_, criterion) => ({
      criterion,
      result: "pass",
      implementation: [evidence],
      tests: [{ check: criterion }],
    })),
    findings: [],
    files_reviewed:
      request.role === "review" ? (chunk?.files_touched ?? []) : plan.chunks.flatMap((entry) => entry.files_touched),
    summary: "fine",
  };
}
