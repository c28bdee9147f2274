/** I4, I9: what a new plan revision means for work that has landed. */
import type { Plan } from "../../../src/contracts/plan.ts";
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import { parseSaying } from "../../../src/contracts/saying.ts";
import type { ModelRun } from "../model/things.ts";
import type { Invariant, Watch } from "./invariant.ts";

/** A floor is asked only for checks of the plan that it is given: a worker that does not find them gives no result. */
export function watchFloorRequests(watch: Watch): Invariant {
  function judge(run: ModelRun): void {
    if (run.path !== WORKFLOW_PATH) return;
    const { job, role, planRev, checks } = watch.ledger.request(run);
    const plan = watch.ledger.revisions.get(planRev)?.plan;
    if (role !== "floor" || plan === undefined) return;
    for (const id of checks?.chunks ?? [])
      if (!plan.chunks.some((chunk) => chunk.id === id))
        watch.violated("I9", `${job} asks for the checks of ${id}, which revision ${planRev} does not contain`);
  }
  return {
    onHappening(happening) {
      if (happening.kind === "run-ended") judge(happening.run);
    },
  };
}

/** Where the plan wants people to look at what has landed, nothing starts before they have, also when it lands again. */
export function watchCheckpoints(watch: Watch): Invariant {
  /** Where each revision wants people to look. */
  const planned = new Map<number, ReadonlySet<string>>();
  /** Landed since somebody said that the run may go on, with the revision it was built for. */
  const unseen = new Map<string, number>();
  const begunWell = new Set<string>();
  /** The comment that asks to look at a chunk; 0 = GitHub does not take it. */
  const asked = new Map<string, number>();

  /** A comment speaks of what was asked before it. */
  function look(comment: number): void {
    const isComment = parseSaying(comment).kind === "comment";
    for (const chunk of unseen.keys())
      if (!isComment || (asked.get(chunk) ?? Number.POSITIVE_INFINITY) <= comment) unseen.delete(chunk);
  }

  function ask(key: string, comment: number): void {
    const [, chunk] = /^need:checkpoint:([^:]+):/u.exec(key) ?? [];
    if (chunk !== undefined) asked.set(chunk, comment);
  }

  function findUnseen(): string | null {
    const wanted = planned.get(watch.ledger.approvedRev);
    const now = watch.ledger.revisions.get(watch.ledger.approvedRev)?.plan;
    for (const [chunk, rev] of unseen) {
      const then = watch.ledger.revisions.get(rev)?.plan;
      if (wanted?.has(chunk) !== true || !watch.ledger.chunk(chunk).landed) continue;
      // What another revision wants otherwise is built again, and looked at then.
      if (now !== undefined && then !== undefined && isSame(now, then, chunk)) return chunk;
    }
    return null;
  }

  return {
    onFact({ fact }) {
      switch (fact.kind) {
        case "RunStarted":
          planned.clear();
          unseen.clear();
          asked.clear();
          begunWell.clear();
          return;
        case "PlanCommitted":
          planned.set(fact.rev, new Set(fact.draft.checkpoints.map(({ after }) => after)));
          return;
        case "ChunksLanded":
          for (const id of fact.chunks) {
            unseen.set(id, watch.ledger.approvedRev);
            asked.delete(id);
          }
          return;
        case "CommentPosted":
          ask(fact.key, fact.id);
          return;
        case "EffectFailed":
          if (fact.failure === "terminal" || fact.failure === "misconfigured")
            ask(fact.effect.replace(/^comment:/u, ""), 0);
          return;
        case "CommandReceived":
          if (fact.name === "resume") look(fact.comment);
          return;
        case "EffectStarted":
          if (findUnseen() === null) begunWell.add(fact.effect);
          return;
        case "JobDispatched": {
          const chunk = findUnseen();
          if (fact.attempt !== null && chunk !== null && !begunWell.has(fact.effect))
            watch.violated("I4", `${fact.attempt.chunk} began before anybody had looked at ${chunk}, which has landed`);
          return;
        }
        default:
      }
    },
  };
}

/** Whether two revisions say the very same of a chunk, and of all it builds on. */
function isSame(one: Plan, other: Plan, id: string): boolean {
  const [a, b] = [one, other].map((plan) => plan.chunks.find((chunk) => chunk.id === id));
  return JSON.stringify(a) === JSON.stringify(b) && (a?.deps ?? []).every((dep) => isSame(one, other, dep));
}
