/** I3, I9: what is at work on GitHub itself, whatever the facts say of it. */
import { parseRunName, WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import type { JobId } from "../../../src/contracts/ids.ts";
import type { ModelRun } from "../model/things.ts";
import type { Invariant, Watch } from "./invariant.ts";

/** A run that was cancelled, or whose job is over, must be over itself by then. */
const MUST_END_MS = 30 * 60_000;

export function watchWorkforce(watch: Watch): Invariant {
  const { model, violated } = watch;
  /** Jobs that are over, as far as the App is concerned: what is left of them is on its way to its end. */
  const over = new Set<JobId>();
  /** What was at work when the store was lost nobody knows of any more: GitHub ends it, after six hours at the latest. */
  let forgottenBefore = 0;

  const listOpen = (): readonly ModelRun[] =>
    [...model.runs.values()].filter(
      (run) =>
        run.path === WORKFLOW_PATH &&
        run.timeline.now.status !== "completed" &&
        run.createdAt >= forgottenBefore &&
        !isDouble(run),
    );
  /** One that was dispatched twice: the second run finds the first and ends itself. */
  const isDouble = (run: ModelRun): boolean =>
    [...model.runs.values()].some((other) => other.id < run.id && other.title === run.title);

  function mustEnd(runs: readonly ModelRun[], why: string): void {
    if (runs.length === 0) return;
    model.time.after(MUST_END_MS, () => {
      for (const run of runs)
        if (run.timeline.now.status !== "completed") violated("I9", `${run.title} goes on although ${why}`);
    });
  }

  function judgeDispatch(run: ModelRun): void {
    const limit = watch.ledger.config?.limits.parallel;
    if (limit === undefined || !isImplement(run)) return;
    const working = listOpen().filter((one) => isImplement(one) && !over.has(parseRunName(one.title) as JobId));
    if (working.length > limit)
      violated("I3", `${working.length} agents are on GitHub with ${run.title}, ${limit} are allowed`);
  }

  return {
    onHappening: (happening) => {
      if (happening.kind === "dispatch") judgeDispatch(happening.run);
    },
    onFact: ({ fact, at }) => {
      if (fact.kind === "RunRebuilt") forgottenBefore = at;
      if (fact.kind === "JobEnded") {
        over.add(fact.job);
        const runs = listOpen().filter((run) => parseRunName(run.title) === fact.job);
        mustEnd(runs, `its job ended (${fact.outcome})`);
      }
      if (fact.kind === "RunEnded") {
        const { run: key } = watch.ledger;
        mustEnd(
          listOpen().filter((run) => run.title.includes(` ${key}/`)),
          "the run has ended",
        );
      }
    },
  };
}

function isImplement(run: ModelRun): boolean {
  return run.inputs["role"] === "implement";
}
