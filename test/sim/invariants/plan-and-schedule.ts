/** I2, I3, I4, I8: immutable revisions, order and scopes, limits, budget. */
import type { Fact } from "../../../src/engine/fact.ts";
import { APP } from "../model/identities.ts";
import type { Happening } from "../model/happening.ts";
import type { Invariant, Watch } from "./invariant.ts";
import type { ChunkBook } from "./chunk-book.ts";

const MAX_UNUSUAL = 3;

const LONGEST_STALL_MS = 10 * 60_000;

/** What has landed had been approved, by whomever: that is all a lost store leaves to tell. */
const READ_BACK = /before the store was lost/u;

export function watchPlan(watch: Watch): Invariant {
  const { model, laboratory, violated } = watch;
  const { git } = model;
  return {
    onHappening(happening: Happening) {
      if (happening.kind !== "ref" || happening.by.login !== APP.login) return;
      const { from, to, branch } = happening;
      if (branch !== watch.ledger.integration || from === null || to === null) return;
      const after = git.files(to);
      for (const [path, file] of git.files(from)) {
        if (!/^\.taskfleet\/[^/]+\/(?:plan|baseline|execution-plan|intent)\.v[0-9]+\./u.test(path)) continue;
        if (after.get(path)?.sha !== file.sha) violated("I2", `${path} changed after it was committed`);
      }
    },
    onFact({ fact }) {
      if (fact.kind === "PlanApproved" && watch.ledger.revisions.get(fact.rev)?.hash !== fact.hash)
        violated("I2", `the approval of revision ${fact.rev} names another hash`);
      if (fact.kind === "PlanApproved" && !READ_BACK.test(fact.why)) {
        if (watch.ledger.unconfigured.length > 0)
          violated("I4", `nobody looked at revision ${fact.rev} although the floor cannot check everything`);
        if (watch.ledger.givenByStranger && fact.rev === 1) violated("I7", "a stranger's plan was approved by nobody");
      }
      if (fact.kind === "BaselineBound" && laboratory.spoilt.has(fact.job))
        violated("I11", `${fact.job} was bound although its captures are no baseline`);
      if (fact.kind === "PlanCommitted" && watch.ledger.revisions.has(fact.rev))
        violated("I2", `revision ${fact.rev} was written twice`);
    },
  };
}

export function watchSchedule(watch: Watch): Invariant {
  const { model, violated } = watch;
  /** Dispatches begun while all was well: a pause that comes while one is under way does not stop it. */
  const begunWell = new Set<string>();
  /** Effects that were begun before the run was cancelled: what may have been sent out is found, and stopped. */
  const begunInTime = new Set<string>();
  const begunAt = new Map<string, number>();
  let startedAt = 0;

  function mayStart(): string | null {
    if (watch.ledger.ended !== null) return "the run has ended";
    if (watch.ledger.cancelled) return "it is cancelled";
    if (watch.ledger.paused) return "it is paused";
    if (watch.ledger.planning) return "a new revision is being written";
    if (watch.ledger.approvedRev === 0 || watch.ledger.approvedRev !== Math.max(...watch.ledger.revisions.keys()))
      return "no revision is approved";
    return null;
  }

  function judgeStart(fact: Extract<Fact, { kind: "JobDispatched" }>): void {
    const { attempt } = fact;
    if (attempt === null) return;
    const why = begunWell.has(fact.effect) ? null : mayStart();
    if (why !== null) violated("I4", `${attempt.chunk} was dispatched although ${why}`);
    if (!watch.ledger.revisions.has(attempt.planRev))
      violated("I2", `attempt ${attempt.n} of ${attempt.chunk} names no revision`);
    const definition = watch.ledger.definition(attempt.chunk);
    if (definition === null) {
      violated("I4", `${attempt.chunk} was dispatched and is not in the approved plan`);
      return;
    }
    for (const dep of definition.deps ?? []) {
      const book = watch.ledger.chunk(dep);
      if (!book.landed && !book.skipped) violated("I3", `${attempt.chunk} began before ${dep} had landed`);
      if (!book.landed && !book.skipped && !book.personal && isEscalated(book))
        violated("I4", `${attempt.chunk} began below ${dep}, which is escalated`);
    }
    const files = new Set(definition.files_touched);
    for (const other of watch.ledger.chunks.values()) {
      if (other.id === attempt.chunk || other.work !== "alive" || other.landed || other.skipped) continue;
      // A person's business now: nothing of it goes on by itself, and its files are free.
      if (isEscalated(other)) continue;
      const overlap = watch.ledger.definition(other.id)?.files_touched.find((path) => files.has(path));
      if (overlap !== undefined) violated("I3", `${attempt.chunk} began while ${other.id} holds ${overlap}`);
    }
    const limit = watch.ledger.config?.limits.parallel ?? 1;
    if (watch.ledger.openImplements.size + 1 > limit)
      violated("I3", `${watch.ledger.openImplements.size + 1} agents are at work, ${limit} are allowed`);
    judgeTries(watch.ledger.chunk(attempt.chunk));
  }

  function judgeTries(book: ChunkBook): void {
    const limits = watch.ledger.config?.limits;
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

  function judgeTokens({ job, subject }: Extract<Fact, { kind: "JobDispatched" }>): void {
    const { tokens = 0, reserve_tokens: each = 0 } = watch.ledger.config?.budget ?? {};
    if (tokens === 0 || subject.role === "baseline" || subject.role === "floor") return;
    const worst = watch.ledger.tokens + (watch.ledger.reserved.size + 1) * each;
    if (worst > tokens) violated("I8", `${job} may bring the tokens used to ${worst}, the budget allows ${tokens}`);
  }

  function judgeMoney({ job, subject }: Extract<Fact, { kind: "JobDispatched" }>): void {
    const { usd = 0, reserve_usd: each = 0 } = watch.ledger.config?.budget ?? {};
    if (usd === 0 || subject.role === "baseline" || subject.role === "floor") return;
    const worst = watch.ledger.usd + (watch.ledger.reservedUsd.size + 1) * each;
    // Cents are no binary fractions.
    if (worst > usd + 1e-6) violated("I8", `${job} may bring the cost to ${worst} USD, the budget allows ${usd}`);
  }

  function judgeTime({ job, subject, effect }: Extract<Fact, { kind: "JobDispatched" }>): void {
    const minutes = watch.ledger.config?.budget.wall_minutes ?? 0;
    if (minutes === 0 || subject.role === "baseline" || subject.role === "floor") return;
    const begun = begunAt.get(effect) ?? 0;
    // A process may stand still between its decision and its word of it.
    const late = watch.scenario.faults.stall > 0 ? LONGEST_STALL_MS : 0;
    if (begun >= startedAt + minutes * 60_000 + late)
      violated(
        "I8",
        `${job} was begun after ${Math.round((begun - startedAt) / 60_000)} minutes, ${minutes} are allowed`,
      );
  }

  function isEscalated(book: ChunkBook): boolean {
    const limits = watch.ledger.config?.limits;
    if (limits === undefined) return false;
    return (
      book.floorFails >= limits.tries ||
      book.reviewFails >= limits.tries ||
      book.unusable >= limits.unusable ||
      book.integrationFails >= limits.tries ||
      book.voids >= MAX_UNUSUAL ||
      countLost(book) >= MAX_UNUSUAL
    );
  }

  /** A reviewer that says nothing is replaced, yet not for ever. */
  function judgeReviewers({ job, subject, attemptOf }: Extract<Fact, { kind: "JobDispatched" }>): void {
    if (subject.role !== "review") return;
    const book = watch.ledger.chunk(subject.chunk);
    if (book.personal || book.work !== "alive" || book.attempts !== attemptOf) return;
    if (book.voids >= MAX_UNUSUAL || book.lost >= MAX_UNUSUAL)
      violated("I4", `${job} was dispatched after ${book.voids} void reviews and ${book.lost} lost jobs`);
  }

  return {
    onHappening(happening) {
      if (
        happening.kind === "ref" &&
        happening.by.login === APP.login &&
        happening.branch === watch.ledger.integration &&
        happening.from !== null &&
        happening.to !== null
      ) {
        // Landings only, no branch that is restored: evidence is committed also while people think.
        if (!model.git.commit(happening.to).message.includes("Reviewed-by: adversarial-review")) return;
        if (watch.ledger.cancelled) violated("I4", "a chunk landed although the run is cancelled");
        if (watch.ledger.paused) violated("I4", "a chunk landed although the run is paused");
        if (watch.ledger.planning) violated("I4", "a chunk landed while a new revision is being written");
      }
    },
    onFact({ fact, at }) {
      if (fact.kind === "RunStarted") startedAt = at;
      // Tried again, it is what was decided then, until it is known that it was never sent out.
      if (fact.kind === "EffectStarted" && !begunAt.has(fact.effect)) begunAt.set(fact.effect, at);
      if (fact.kind === "EffectEnded") begunAt.delete(fact.effect);
      if (fact.kind === "EffectStarted" && fact.effect.startsWith("job:") && mayStart() === null)
        begunWell.add(fact.effect);
      if (fact.kind === "EffectStarted" && !watch.ledger.cancelled) begunInTime.add(fact.effect);
      if (fact.kind === "JobDispatched") {
        judgeStart(fact);
        judgeReviewers(fact);
        const { role } = fact.subject;
        const limit = watch.ledger.config?.budget.agent_runs ?? 0;
        if (limit > 0 && role !== "baseline" && role !== "floor" && watch.ledger.agentRuns + 1 > limit)
          violated("I8", `agent run ${watch.ledger.agentRuns + 1} was started (${role}), the budget allows ${limit}`);
        judgeTokens(fact);
        judgeMoney(fact);
        judgeTime(fact);
        if (watch.ledger.cancelled && !begunInTime.has(fact.effect))
          violated("I4", `${fact.job} was dispatched although the run is cancelled`);
      }
      if (fact.kind === "CommentPosted" && fact.key.startsWith("need:escalation:")) {
        // A comment that is read back speaks of attempts that were lost with the store.
        if ((model.comments.get(fact.id)?.createdAt ?? startedAt) < startedAt) return;
        const book = watch.ledger.chunks.get(/^need:escalation:([^:]+):/u.exec(fact.key)?.[1] ?? "");
        if (book === undefined || book.personal || book.revised || isEscalated(book)) return;
        // Failures that repeat, or reviews that go round in circles, end it early.
        const repeats = Math.max(book.floorFails, book.integrationFails) >= MAX_UNUSUAL || book.reviewFails >= 2;
        if (!repeats) violated("I4", `${book.id} is escalated without having used up its tries`);
      }
    },
  };
}

/** An attempt under way is no outage, whatever ended those before it. */
function countLost(book: ChunkBook): number {
  return book.lost + (book.work === "alive" ? 0 : book.outages);
}
