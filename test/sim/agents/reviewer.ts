/** Reviewers: of chunks, of plans and of the whole feature; some pass, some fail, some cite what is not there. */
import { listAcceptanceCriteria, listCriteria } from "../../../src/contracts/criteria.ts";
import type { JobRequest } from "../../../src/contracts/job.ts";
import type { Plan } from "../../../src/contracts/plan.ts";
import type { Verdict } from "../../../src/contracts/verdict.ts";
import { type GitModel, splitLines } from "../model/git-model.ts";
import type { Scenario } from "../scenario.ts";

export type Judgement = "pass" | "fail" | "uncited" | "garbage" | "contradiction" | "other-job";

/** More reviewers than are asked before people are asked, twice. */
const NONSENSE = 7;

/** Depends on the job alone; a job's name holds the chunk and how many reviews it had. */
export function drawJudgement(scenario: Scenario, request: JobRequest): Judgement {
  const temper = request.role === "plan-review" ? scenario.temper.planReviewer : scenario.temper.reviewer;
  const chance = scenario.chance.scope("reviewer");
  const label = request.job.slice(request.job.indexOf("/"));
  // What some chunks hold makes one reviewer after the other talk nonsense.
  const isEarly = Number(/[0-9]+$/u.exec(label)?.[0] ?? "0") <= NONSENSE;
  if (request.role === "review" && isEarly && chance.happens(`nonsense:${request.chunk ?? ""}`, temper * 0.15))
    return "garbage";
  if (!chance.happens(`bad:${label}`, temper)) return "pass";
  return chance.weigh(`how:${label}`, { fail: 5, uncited: 2, garbage: 1, contradiction: 1, "other-job": 1 });
}

export function review(git: GitModel, scenario: Scenario, request: JobRequest, plan: Plan | null): string {
  const judgement = drawJudgement(scenario, request);
  if (judgement === "garbage") return "I think it is fine.";
  const final = request.role === "final-review";
  const chunk = plan?.chunks.find((entry) => entry.id === request.chunk);
  const criteria = final ? listAcceptanceCriteria(plan?.acceptance ?? []) : listCriteria(chunk ?? { checks: [] });
  const path = final ? "src/main.js" : `src/${request.chunk ?? ""}.js`;
  const commit = request.commit as Parameters<GitModel["files"]>[0];
  const lines = splitLines(git.readFile(commit, path) ?? "");
  const line = lines.findIndex((text) => !text.startsWith("//")) + 1;
  const quote = judgement === "uncited" ? "const nothing = 'of the kind';" : (lines[line - 1] ?? "nothing");
  const evidence = { path, start: Math.max(1, line), end: Math.max(1, line), quote };
  const fails = judgement === "fail" || judgement === "contradiction";
  const verdict: Verdict = {
    v: 1,
    job: judgement === "other-job" ? `${request.job}0` : request.job,
    commit: request.commit,
    result: judgement === "fail" ? "fail" : "pass",
    criteria: criteria.map((_, index) =>
      fails && index === 0
        ? { criterion: index, result: "fail", expected: "it works", found: "it does not", where: evidence }
        : { criterion: index, result: "pass", implementation: [evidence], tests: [{ check: 0 }] },
    ),
    findings: [],
    files_reviewed: final ? [...git.files(commit).keys()] : [path],
    summary: "Read it all.",
    ...(final ? { chunks: fails ? [plan?.chunks[0]?.id ?? "c0"] : [] } : {}),
  };
  return JSON.stringify(verdict);
}

export function reviewPlan(scenario: Scenario, request: JobRequest): string {
  const judgement = drawJudgement(scenario, request);
  if (judgement === "garbage") return "Looks good to me.";
  const blocking = judgement === "fail" || judgement === "contradiction";
  return JSON.stringify({
    v: 1,
    job: judgement === "other-job" ? `${request.job}0` : request.job,
    lens: request.lens,
    result: judgement === "fail" ? "fail" : "pass",
    findings: blocking
      ? [{ severity: "blocking", chunk: "", title: "A requirement has no chunk", evidence: "The issue asks for it." }]
      : [],
    summary: judgement === "uncited" ? "" : "Read it all.",
  });
}
