/** The planner: writes the scenario's plan, sometimes badly, sometimes with a question, and revises it on request. */
import type { JobFeedback, JobRequest } from "../../../src/contracts/job.ts";
import type { Chunk, Plan } from "../../../src/contracts/plan.ts";
import type { Chance } from "../chance.ts";
import { answerChecklist, buildChunk, type Scenario } from "../scenario.ts";

export type Planning = "plan" | "invalid" | "questions" | "answer" | "garbage" | "unusable" | "external";

export function drawPlanning(scenario: Scenario, request: JobRequest): Planning {
  const chance = scenario.chance.scope("planner");
  const label = request.job.slice(request.job.indexOf("/"));
  if (!chance.happens(`bad:${label}`, scenario.temper.planner)) return "plan";
  return chance.weigh(`how:${label}`, { invalid: 4, questions: 2, answer: 0.3, garbage: 1, unusable: 1, external: 1 });
}

/** The planner's text, or null when there is none (unusable, external). */
export function plan(scenario: Scenario, request: JobRequest, feedback: JobFeedback | null): string | null {
  switch (drawPlanning(scenario, request)) {
    case "unusable":
    case "external":
      return null;
    case "garbage":
      return "Here is my plan: do it well.";
    case "questions":
      return JSON.stringify({ kind: "questions", questions: ["Which currency?"] });
    case "answer":
      return JSON.stringify({ kind: "answer", text: "It does that already." });
    case "invalid":
      return JSON.stringify({ ...buildDraft(scenario, request, feedback), acceptance: [] });
    case "plan":
      return JSON.stringify(buildDraft(scenario, request, feedback));
  }
}

function buildDraft(scenario: Scenario, request: JobRequest, feedback: JobFeedback | null): object {
  const chance = scenario.chance.scope("draft");
  const running = feedback?.plan === undefined ? null : (JSON.parse(feedback.plan) as Plan);
  const chunks = running === null ? scenario.chunks : revise(scenario, request, running, feedback?.landed ?? []);
  const unassignable = chance.happens("unassignable", 0.04) ? chunks.slice(-1).map((chunk) => chunk.id) : [];
  const simple = chunks.length === 1;
  return {
    kind: "plan",
    triage: simple ? "simple" : "complex",
    title: "Budgets per category",
    goal: "People see how much of a budget is used.",
    task_brief: { type: "backend", complexity: chance.pick("complexity", ["low", "medium", "high"]), ambiguities: [] },
    chunks,
    acceptance: [
      { kind: "check", desc: "All tests pass", run: "tests" },
      { kind: "assertion", desc: "A budget that is used up is visible" },
    ],
    requirements: [{ text: "Budgets", chunks: chunks.map((chunk) => chunk.id) }],
    assignments: Object.fromEntries(
      chunks
        .filter((chunk) => !unassignable.includes(chunk.id))
        .map((chunk) => [chunk.id, chance.happens(`agent:${chunk.id}`, 0.3) ? "second" : "default"]),
    ),
    unassignable: unassignable.map((chunk) => ({ chunk, reason: "nobody knows this language" })),
    checklist: simple ? [] : answerChecklist(),
    answers: (feedback?.items ?? []).flatMap(({ source, text }) => {
      const finding = source.startsWith("review:") ? /^F\d+/u.exec(text)?.[0] : undefined;
      return finding === undefined ? [] : [{ finding, fix: "the chunk says it now" }];
    }),
    open_questions: chance.happens("open-question", 0.1) ? ["Rounding?"] : [],
    checkpoints: chance.happens("checkpoint", 0.15)
      ? [{ after: chunks[0]?.id ?? "c0", reason: "the first of its kind" }]
      : [],
  };
}

/** A revision keeps most of what has landed, changes something that has not, and sometimes adds a chunk. */
function revise(scenario: Scenario, request: JobRequest, running: Plan, landed: readonly string[]): readonly Chunk[] {
  const chance = scenario.chance.scope(`revise:${request.job}`);
  const done = running.chunks.filter((chunk) => landed.includes(chunk.id));
  const regretted = done[chance.int("regretted", 0, Math.max(0, done.length - 1))];
  const regret = regretted === undefined ? "none" : chance.weigh("regret", { none: 6, again: 1, undo: 1 });
  const undoing = regretted === undefined || regret !== "undo" ? null : undo(regretted, request.planRev, chance);
  const kept = running.chunks.flatMap((chunk) => {
    if (undoing === null || regretted === undefined) return [chunk];
    // What stood on it stands on what takes its place.
    if (chunk.id === regretted.id) return [undoing];
    const deps = (chunk.deps ?? []).map((dep) => (dep === regretted.id ? undoing.id : dep));
    return [{ ...chunk, deps }];
  });
  const chunks = kept.map((chunk): Chunk => {
    if (chunk.id === regretted?.id && regret === "again")
      return { ...chunk, brief: `${chunk.brief} It was not what was meant (${request.planRev}).` };
    if (landed.includes(chunk.id) || chunk.id === undoing?.id) return chunk;
    switch (chance.pick(`change:${chunk.id}`, ["keep", "keep", "brief", "criteria", "title"])) {
      case "brief":
        return { ...chunk, brief: `${chunk.brief} Do it with more care (${request.planRev}).` };
      case "criteria":
        return { ...chunk, assertions: [...(chunk.assertions ?? []), `it also holds in revision ${request.planRev}`] };
      case "title":
        return { ...chunk, title: `${chunk.title}, again` };
      default:
        return chunk;
    }
  });
  if (!chance.happens("add", 0.4)) return chunks;
  const id = `r${request.planRev}`;
  if (chunks.some((chunk) => chunk.id === id)) return chunks;
  const last = chunks.at(-1)?.id;
  return [...chunks, buildChunk(id, last === undefined ? [] : [last], [`src/${id}.js`, `test/${id}.test.js`], chance)];
}

/** A chunk that takes the place of one that has landed: it owns its files, so that nothing of it needs to stay. */
function undo(landed: Chunk, planRev: number, chance: Chance): Chunk {
  const id = `u${planRev}`;
  const files = new Set([...landed.files_touched, `src/${id}.js`, `test/${id}.test.js`]);
  return buildChunk(id, landed.deps ?? [], [...files], chance);
}
