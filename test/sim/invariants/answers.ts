/** I1, I2: an answer counts only for what was asked: plans for the newest request, verdicts for what they were about. */
import type { Sha } from "../../../src/contracts/ids.ts";
import type { JobFeedback, JobRequest } from "../../../src/contracts/job.ts";
import { PLAN_LENSES } from "../../../src/contracts/names.ts";
import type { Chunk } from "../../../src/contracts/plan.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import type { Invariant, Watch } from "./invariant.ts";

interface Draft {
  /** The request its planner was told; null for the first plan. */
  readonly request: string | null;
  readonly chunks: string;
}

export function watchAnswers(watch: Watch): Invariant {
  const { model, violated } = watch;
  let asked: string | null = null;
  let committed = "";
  const drafts: Draft[] = [];
  /** Chunks of the drafts that a lens has passed. */
  const passes = new Set<string>();
  /** Criteria under which a chunk was passed. */
  const judged = new Map<string, Set<string>>();

  function findRequest(job: string): JobRequest | undefined {
    return [...watch.ledger.jobs.values()].find((request) => request.job === job);
  }

  function readDocument(name: string | undefined): unknown {
    const text = name === undefined ? undefined : model.git.findBlob(name as Sha);
    return text === undefined ? null : (JSON.parse(text) as unknown);
  }

  function judgePlan(fact: Extract<Fact, { kind: "PlanCommitted" }>): void {
    const chunks = JSON.stringify(fact.draft.chunks);
    // The same plan once more, on a new baseline.
    if (chunks === committed) return;
    committed = chunks;
    // What is read back from GitHub has no draft.
    if (drafts.length === 0) return;
    const own = drafts.filter((draft) => draft.chunks === chunks);
    if (!own.some((draft) => draft.request === asked))
      violated("I2", `revision ${fact.rev} answers another request than the newest one`);
    const files = new Set(fact.draft.chunks.flatMap((chunk) => chunk.files_touched));
    if ((fact.draft.chunks.length < 2 && files.size < 3) || watch.ledger.overrulings.plan) return;
    for (const lens of PLAN_LENSES)
      if (!passes.has(`${lens} ${chunks}`)) violated("I2", `nobody passed revision ${fact.rev} for ${lens}`);
  }

  function judgeLanding(id: string): void {
    const definition = watch.ledger.definition(id);
    const known = judged.get(id);
    if (definition === null || known === undefined || watch.ledger.overrulings.isChunkOverruled(id, "review")) return;
    if (!known.has(formatCriteria(definition)))
      violated("I1", `${id} landed, and whoever passed it was asked for other criteria`);
  }

  function onFact(fact: Fact): void {
    switch (fact.kind) {
      case "RunStarted":
        asked = null;
        committed = "";
        drafts.length = 0;
        passes.clear();
        judged.clear();
        return;
      case "CommandReceived":
        if (fact.name === "replan") asked = fact.args;
        return;
      case "FixRequested":
        asked = fact.text;
        return;
      case "AnswerGiven":
        if ([...watch.ledger.chunks.values()].some((book) => book.landed))
          violated("I4", "a planner's answer ends a run of which chunks have landed");
        return;
      case "DraftReceived": {
        const feedback = readDocument(findRequest(fact.job)?.documents.feedback) as JobFeedback | null;
        drafts.push({ request: feedback?.request ?? null, chunks: JSON.stringify(fact.draft.chunks) });
        return;
      }
      case "PlanReviewed": {
        const plan = readDocument(findRequest(fact.job)?.documents.plan) as { readonly chunks: unknown } | null;
        if (fact.outcome === "pass") passes.add(`${fact.lens} ${JSON.stringify(plan?.chunks)}`);
        return;
      }
      case "PlanCommitted":
        judgePlan(fact);
        return;
      case "VerdictVerified": {
        if (fact.subject.kind !== "attempt" || fact.result.outcome !== "pass") return;
        const { chunk } = fact.subject;
        const plan = readDocument(findRequest(fact.job)?.documents.plan) as {
          readonly chunks: readonly Chunk[];
        } | null;
        const definition = plan?.chunks.find((one) => one.id === chunk);
        const criteria = judged.get(chunk) ?? new Set();
        if (definition !== undefined) judged.set(chunk, criteria.add(formatCriteria(definition)));
        return;
      }
      case "ChunksLanded":
        for (const id of fact.chunks) judgeLanding(id);
        return;
      default:
    }
  }

  return { onFact: ({ fact }) => onFact(fact) };
}

function formatCriteria({ assertions, checks }: Chunk): string {
  return JSON.stringify([assertions ?? [], checks]);
}
