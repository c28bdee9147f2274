/** I2, I3, I4, I8: immutable revisions, order and scopes, limits, budget. */
import type { Fact } from "../../../src/engine/fact.ts";
import { APP, type Happening } from "../model/github-model.ts";
import type { Invariant, Watch } from "./invariant.ts";
import type { ChunkBook } from "./ledger.ts";

const MAX_UNUSUAL = 3;

export function watchPlan({ model, ledger, violated }: Watch): Invariant {
  const { git } = model;
  return {
    onHappening(happening: Happening) {
      if (happening.kind !== "ref" || happening.by.login !== APP.login) return;
      const { from, to, branch } = happening;
      if (branch !== ledger.integration || from === null || to === null) return;
      const after = git.files(to);
      for (const [path, file] of git.files(from)) {
        if (!/^\.taskfleet\/[^/]+\/(?:plan|baseline|execution-plan|intent)\.v[0-9]+\./u.test(path)) continue;
        if (after.get(path)?.sha !== file.sha) violated("I2", `${path} changed after it was committed`);
      }
    },
    onFact({ fact }) {
      if (fact.kind === "PlanApproved" && ledger.revisions.get(fact.rev)?.hash !== fact.hash)
        violated("I2", `the approval of revision ${fact.rev} names another hash`);
      if (fact.kind === "PlanCommitted" && ledger.revisions.has(fact.rev))
        violated("I2", `revision ${fact.rev} was written twice`);
    },
  };
}

export function watchSchedule({ model, ledger, violated }: Watch): Invariant {
  /** Dispatches begun while all was well: a pause that comes while one is under way does not stop it. */
  const begunWell = new Set<string>();

  function mayStart(): string | null {
    if (ledger.ended !== null) return "the run has ended";
    if (ledger.cancelled) return "it is cancelled";
    if (ledger.paused) return "it is paused";
    if (ledger.planning) return "a new revision is being written";
    if (ledger.approvedRev === 0 || ledger.approvedRev !== Math.max(...ledger.revisions.keys()))
      return "no revision is approved";
    return null;
  }

  function judgeStart(fact: Extract<Fact, { kind: "JobDispatched" }>): void {
    const { attempt } = fact;
    if (attempt === null) return;
    const why = begunWell.has(fact.effect) ? null : mayStart();
    if (why !== null) violated("I4", `${attempt.chunk} was dispatched although ${why}`);
    if (!ledger.revisions.has(attempt.planRev))
      violated("I2", `attempt ${attempt.n} of ${attempt.chunk} names no revision`);
    const definition = ledger.definition(attempt.chunk);
    if (definition === null) {
      violated("I4", `${attempt.chunk} was dispatched and is not in the approved plan`);
      return;
    }
    for (const dep of definition.deps ?? []) {
      const book = ledger.chunk(dep);
      if (!book.landed && !book.skipped) violated("I3", `${attempt.chunk} began before ${dep} had landed`);
      if (!book.landed && !book.skipped && !book.personal && isEscalated(book))
        violated("I4", `${attempt.chunk} began below ${dep}, which is escalated`);
    }
    const files = new Set(definition.files_touched);
    for (const other of ledger.chunks.values()) {
      if (other.id === attempt.chunk || other.work !== "alive" || other.landed || other.skipped) continue;
      const overlap = ledger.definition(other.id)?.files_touched.find((path) => files.has(path));
      if (overlap !== undefined) violated("I3", `${attempt.chunk} began while ${other.id} holds ${overlap}`);
    }
    const limit = ledger.config?.limits.parallel ?? 1;
    if (ledger.openImplements.size + 1 > limit)
      violated("I3", `${ledger.openImplements.size + 1} agents are at work, ${limit} are allowed`);
    judgeTries(ledger.chunk(attempt.chunk));
  }

  function judgeTries(book: ChunkBook): void {
    const limits = ledger.config?.limits;
    if (limits === undefined) return;
    if (book.floorFails >= limits.tries)
      violated("I4", `${book.id} tries the floor once more after ${book.floorFails} failures`);
    if (book.reviewFails >= limits.tries)
      violated("I4", `${book.id} tries the review once more after ${book.reviewFails} failures`);
    if (book.unusable >= limits.unusable)
      violated("I4", `the agent of ${book.id} is asked again after ${book.unusable} useless answers`);
    if (book.integrationFails >= limits.tries)
      violated("I4", `${book.id} is integrated once more after ${book.integrationFails} failures`);
  }

  function isEscalated(book: ChunkBook): boolean {
    const limits = ledger.config?.limits;
    if (limits === undefined) return false;
    return (
      book.floorFails >= limits.tries ||
      book.reviewFails >= limits.tries ||
      book.unusable >= limits.unusable ||
      book.integrationFails >= limits.tries
    );
  }

  return {
    onHappening(happening) {
      if (
        happening.kind === "ref" &&
        happening.by.login === APP.login &&
        happening.branch === ledger.integration &&
        happening.to !== null
      ) {
        // Landings only: evidence is committed also while people think.
        if (!model.git.commit(happening.to).message.includes("Reviewed-by: adversarial-review")) return;
        if (ledger.cancelled) violated("I4", "a chunk landed although the run is cancelled");
        if (ledger.paused) violated("I4", "a chunk landed although the run is paused");
        if (ledger.planning) violated("I4", "a chunk landed while a new revision is being written");
      }
    },
    onFact({ fact }) {
      if (fact.kind === "EffectStarted" && fact.effect.startsWith("job:") && mayStart() === null)
        begunWell.add(fact.effect);
      if (fact.kind === "JobDispatched") {
        judgeStart(fact);
        const { role } = fact.subject;
        const limit = ledger.config?.budget.agent_runs ?? 0;
        if (limit > 0 && role !== "baseline" && role !== "floor" && ledger.agentRuns + 1 > limit)
          violated("I8", `agent run ${ledger.agentRuns + 1} was started (${role}), the budget allows ${limit}`);
        if (ledger.cancelled && !begunWell.has(fact.effect))
          violated("I4", `${fact.job} was dispatched although the run is cancelled`);
      }
      if (fact.kind === "CommentPosted" && fact.key.startsWith("need:escalation:")) {
        const book = ledger.chunks.get(/^need:escalation:(.+):[0-9]+$/u.exec(fact.key)?.[1] ?? "");
        if (book === undefined || book.personal || isEscalated(book)) return;
        // Failures that repeat, or reviews that go round in circles, end it early.
        const repeats = Math.max(book.floorFails, book.integrationFails) >= MAX_UNUSUAL || book.reviewFails >= 2;
        if (!repeats && book.voids < MAX_UNUSUAL && book.lost < MAX_UNUSUAL)
          violated("I4", `${book.id} is escalated without having used up its tries`);
      }
    },
  };
}
