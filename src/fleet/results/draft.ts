import { listAgents } from "../../contracts/config.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { Problem } from "../../contracts/problem.ts";
import { listLandedIds } from "../../engine/derive/chunk-progress.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import type { Fact } from "../../engine/fact.ts";
import type { JobState, RunState } from "../../engine/state.ts";
import { buildProtectedPathFinder, isNeverAllowed } from "../../floor/protected-paths.ts";
import { isTestFile } from "../../contracts/test-files.ts";
import { buildPlan } from "../../plan/build-plan.ts";
import { verifyRevision } from "../../plan/diff/verify-revision.ts";
import { lintPlan, promoteWarnings } from "../../plan/lint/lint-plan.ts";
import { checkFindingAnswers } from "../../plan/check-finding-answers.ts";
import { checkPaths } from "../../plan/check-paths.ts";
import { listOpenFindings } from "../../engine/derive/plan-findings.ts";
import { parsePlanDraft } from "../../plan/parse-plan-draft.ts";
import type { RunSession } from "../run-session.ts";

/** The longest draft text kept with a refusal, for the planner's next try and for people. */
const KEPT_TEXT = 200_000;

/** A planner's answer: a draft that is valid in every respect a machine can tell, questions, or an answer. */
export async function interpretDraft(session: RunSession, job: JobState, text: string): Promise<readonly Fact[]> {
  const { state } = session;
  const config = state.run.config;
  const refuse = (problems: readonly string[]): readonly Fact[] => [
    { kind: "DraftRefused", job: job.job, text: text.slice(0, KEPT_TEXT), problems },
  ];
  const parsed = parsePlanDraft(text, { context: { agents: listAgents(config).map((agent) => agent.name) } });
  if (parsed.draft === null) return refuse(parsed.problems.map(describe));
  const draft = parsed.draft;
  if (draft.kind === "questions") return [{ kind: "QuestionsAsked", job: job.job, questions: draft.questions }];
  // Chunks of a running plan may have landed: only people end such a run.
  if (draft.kind === "answer" && state.revisions.length > 0)
    return refuse(["A plan of this run is committed already: write its new revision, or ask questions."]);
  if (draft.kind === "answer") return [{ kind: "AnswerGiven", job: job.job, text: draft.text }];
  if (draft.chunks.length > config.plan.max_chunks)
    return refuse([`The plan has ${draft.chunks.length} chunks; at most ${config.plan.max_chunks} are allowed.`]);
  const plan = buildPlan(draft, {
    planRev: state.revisions.length + 1,
    intentRev: 1,
    feature: {
      slug: state.run.run.slice(state.run.run.indexOf("-") + 1),
      source_branch: state.run.source,
      integration_branch: formatBranch({ kind: "integration", run: state.run.run }),
    },
    // The baseline is bound when the plan is committed; it changes nothing that is judged here.
    baseline: state.baseline.bound?.baseline ?? placeholder(state),
  });
  const finder = buildProtectedPathFinder(config.protected);
  const warnings = lintPlan(plan, {
    isTestFile: (path) => isTestFile(path, config.floor.tests.files),
    findProtection: (path) => (finder(path) === null ? null : isNeverAllowed(path) ? "never" : "declared"),
  });
  // What could never be committed is not begun: GitHub refuses the App a push that touches a workflow.
  const judged = promoteWarnings(warnings, ["forbidden-file", ...config.plan.lint_errors]);
  const files = await loadFiles(session);
  const problems = [
    ...judged.errors,
    ...verifyAgainstRunning(state, plan),
    ...(files === null ? [] : checkPaths(draft, files)),
    ...checkFindingAnswers(draft.answers ?? [], listOpenFindings(state.planning)),
  ];
  if (problems.length > 0) return refuse(problems.map(describe));
  const unseen = "GitHub does not show the whole tree, so nobody compared the plan's paths with it.";
  const shown = [...judged.warnings.map(describe), ...(files === null ? [unseen] : [])];
  return [{ kind: "DraftReceived", job: job.job, draft, warnings: shown }];
}

/** Every file of what the plan builds on; null where GitHub cuts the list short. */
async function loadFiles({ state, repository }: RunSession): Promise<readonly string[] | null> {
  const { tree } = await repository.loadCommit(state.integration?.tip ?? state.run.fork);
  const entries = await repository.loadTree(tree);
  return entries === null ? null : entries.flatMap((entry) => (entry.type === "tree" ? [] : [entry.path]));
}

/** A new revision must keep what has landed of the plan that is built now, whatever was proposed since. */
function verifyAgainstRunning(state: RunState, plan: Plan): readonly Problem[] {
  const former = deriveActiveRevision(state) ?? state.revisions.at(-1);
  return former === undefined ? [] : verifyRevision(former.plan, plan, listLandedIds(state));
}

function placeholder(state: RunState): Plan["baseline"] {
  return {
    ref: `${formatBranch({ kind: "integration", run: state.run.run })}@fork`,
    commit_oid: state.run.fork,
    toolchain: "not captured yet",
    test_passlist_hash: "not captured yet",
    clippy_warnings_hash: "not captured yet",
    enumerated_targets_hash: "not captured yet",
  };
}

function describe(problem: Problem): string {
  const place = problem.pointer === "" ? "" : `${problem.pointer}: `;
  return `${place}${problem.message} [${problem.rule}]`;
}
