import type { Fact } from "../fact.ts";
import type { AttemptState, RunState } from "../state.ts";
import { changeChunk } from "./change.ts";
import type { JobId } from "../../contracts/ids.ts";
import { restoreBranch } from "./restore-branch.ts";
import { beginAttempt } from "./begin-attempt.ts";
import { replaceLast } from "./omit.ts";
import { pause } from "./pause.ts";

type PeopleFact = Extract<
  Fact,
  {
    kind:
      | "IssueInterfered"
      | "IssueRestored"
      | "RunCancelled"
      | "IntentEdited"
      | "ReviewsObserved"
      | "BranchLost"
      | "BranchRestored"
      | "TakePrepared"
      | "PersonPushed";
  }
>;

/** What people do to the issue, the pull requests and the branches beside writing commands. */
export function foldPeople(state: RunState, fact: PeopleFact, at: number): RunState {
  switch (fact.kind) {
    case "IssueInterfered":
      return { ...state, interference: { what: fact.what, at }, interferences: fact.n };
    case "IssueRestored":
      return { ...state, interference: null };
    case "RunCancelled":
      return { ...state, interference: null, cancelled: state.cancelled ?? { by: "", why: fact.why } };
    case "IntentEdited": {
      const intentEdits = [...state.intentEdits, { hash: fact.hash, by: fact.by, writer: fact.writer }];
      if (!fact.writer) return { ...state, intentEdits };
      return pause({ ...state, intentEdits }, { why: "edited", by: fact.by });
    }
    case "ReviewsObserved":
      return { ...state, blockers: { ...state.blockers, [fact.pull]: { logins: fact.blockers, n: fact.n } } };
    case "BranchLost":
      return { ...state, lostBranches: { ...state.lostBranches, [fact.branch]: { n: fact.n, lost: true } } };
    case "BranchRestored":
      return { ...state, lostBranches: { ...state.lostBranches, [fact.branch]: { n: fact.n, lost: false } } };
    case "TakePrepared":
      return changeChunk(restoreBranch(state, fact.chunk), fact.chunk, (chunk) =>
        chunk.taken === null ? chunk : { ...chunk, taken: { ...chunk.taken, base: fact.base } },
      );
    case "PersonPushed":
      return foldPush(state, fact, at);
  }
}

function foldPush(state: RunState, fact: Extract<PeopleFact, { kind: "PersonPushed" }>, at: number): RunState {
  return changeChunk(state, fact.chunk, (chunk) => {
    if (chunk.landed !== null || chunk.skipped) return chunk;
    const last = chunk.attempts.at(-1);
    const former =
      last === undefined || chunk.attempts.length <= chunk.countFrom
        ? chunk.attempts
        : replaceLast(chunk.attempts, isOver(last) ? last : { ...last, stage: "superseded" as const });
    const attempt: AttemptState = {
      ...beginAttempt({
        n: fact.attempt,
        planRev: state.approved?.rev ?? 0,
        agent: `@${fact.by}`,
        model: "",
        tier: last?.tier ?? "code",
        base: fact.base,
        stage: fact.problems.length > 0 ? "refused" : "committed",
        // No job made it: people are no workflow runs.
        job: "" as JobId,
        startedAt: at,
      }),
      files: fact.files,
      problems: fact.problems,
      head: fact.head,
      tree: fact.tree,
    };
    return { ...chunk, stopped: null, attempts: [...former, attempt] };
  });
}

function isOver(attempt: AttemptState): boolean {
  switch (attempt.stage) {
    case "implementing":
    case "received":
    case "committed":
    case "floor-passed":
    case "verified":
      return false;
    default:
      return true;
  }
}
