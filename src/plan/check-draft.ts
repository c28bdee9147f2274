import type { PlanProposal } from "../contracts/plan-draft.ts";
import type { Problem } from "../contracts/problem.ts";
import { checkChecklist } from "./checklist/check-answers.ts";
import { alwaysSucceeds } from "./lint/always-succeeds.ts";
import { formatFound, type PathPart, ProblemList } from "./problem-list.ts";
import { suggestNearest } from "./suggest-nearest.ts";

export interface DraftContext {
  /** Names of the agents in the registry; `["default"]` when there is none. */
  readonly agents: readonly string[];
}

/**
 * What must hold between the parts of a proposal: requirements are mapped to chunks, every chunk
 * has exactly one agent or stands among the unassignable, and (complex work only) the pre-flight
 * checklist is answered in full.
 */
export function checkDraft(draft: PlanProposal, context: DraftContext): readonly Problem[] {
  const problems = new ProblemList();
  const chunks = new Set(draft.chunks.map((chunk) => chunk.id));
  checkTriage(draft, problems);
  checkVerifiable(draft, problems);
  if (draft.triage === "complex" && draft.requirements.length === 0)
    problems.add(["requirements"], "requirement-missing", {
      message: "no requirement is named, so nobody can tell whether the plan is complete",
      found: "an empty list",
      allowed: "each requirement with the chunks that meet it",
    });
  for (const [index, requirement] of draft.requirements.entries()) {
    if (requirement.chunks.length === 0) {
      const message = `no chunk meets the requirement ${formatFound(requirement.text)}`;
      problems.add(["requirements", index], "requirement-unmapped", {
        message,
        found: "no chunk",
        allowed: "at least one chunk id",
      });
    }
    for (const [position, id] of requirement.chunks.entries()) {
      checkChunkName(id, chunks, ["requirements", index, "chunks", position], problems);
    }
  }
  for (const [index, checkpoint] of draft.checkpoints.entries()) {
    checkChunkName(checkpoint.after, chunks, ["checkpoints", index, "after"], problems);
  }
  checkAssignments(draft, chunks, context, problems);
  if (draft.triage === "complex") checkChecklist(draft.checklist, problems);
  return problems.list();
}

function checkTriage(draft: PlanProposal, problems: ProblemList): void {
  if (draft.triage === "complex" || draft.chunks.length === 1) return;
  problems.add(["triage"], "triage", {
    message: `triage says simple, but there are ${draft.chunks.length} chunks`,
    found: `${draft.chunks.length} chunks`,
    allowed: 'one chunk, or triage "complex"',
  });
}

/** A chunk none of whose checks can fail cannot be verified by a machine. */
function checkVerifiable(draft: PlanProposal, problems: ProblemList): void {
  for (const [index, chunk] of draft.chunks.entries()) {
    if (!chunk.checks.every((check) => (check.expect_exit ?? 0) === 0 && alwaysSucceeds(check.run))) continue;
    problems.add(["chunks", index, "checks"], "chunk-unverifiable", {
      message: `every check of chunk ${formatFound(chunk.id)} succeeds whatever was built`,
      found: formatFound(chunk.checks[0]?.run),
      allowed: "at least one command that fails while the work is not done",
    });
  }
}

function checkChunkName(
  id: string,
  chunks: ReadonlySet<string>,
  path: readonly PathPart[],
  problems: ProblemList,
): void {
  if (chunks.has(id)) return;
  const found = formatFound(id);
  problems.add(path, "chunk-unknown", {
    message: `no chunk is named ${found}${suggestNearest(id, chunks)}`,
    found,
    allowed: "the id of a chunk",
  });
}

function checkAssignments(
  draft: PlanProposal,
  chunks: ReadonlySet<string>,
  context: DraftContext,
  problems: ProblemList,
): void {
  for (const [id, agent] of Object.entries(draft.assignments)) {
    checkChunkName(id, chunks, ["assignments", id], problems);
    if (context.agents.includes(agent)) continue;
    const found = formatFound(agent);
    problems.add(["assignments", id], "agent-unknown", {
      message: `no agent is named ${found}${suggestNearest(agent, context.agents)}`,
      found,
      allowed: context.agents.join(", "),
    });
  }
  const unassignable = new Set(draft.unassignable.map((entry) => entry.chunk));
  for (const [index, entry] of draft.unassignable.entries()) {
    checkChunkName(entry.chunk, chunks, ["unassignable", index, "chunk"], problems);
    if (!Object.hasOwn(draft.assignments, entry.chunk)) continue;
    const message = `chunk ${formatFound(entry.chunk)} has an agent and is called unassignable`;
    problems.add(["unassignable", index], "assigned-twice", {
      message,
      found: "both",
      allowed: "an agent or a reason",
    });
  }
  // With one agent there is nothing to choose.
  if (context.agents.length <= 1) return;
  for (const id of chunks) {
    if (unassignable.has(id) || Object.hasOwn(draft.assignments, id)) continue;
    problems.add(["assignments"], "unassigned", {
      message: `chunk ${formatFound(id)} has no agent`,
      found: "no entry",
      allowed: `one of ${context.agents.join(", ")}, or an entry in unassignable`,
    });
  }
}
