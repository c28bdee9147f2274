/** I9: a run has ended in every respect, or it waits and people can see for what. */
import { parseTrailer } from "../../../src/contracts/commit-message.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import { formatBranch, hasMarker } from "../../../src/contracts/names.ts";
import type { RecordedFact } from "../../../src/engine/fact.ts";
import { foldAll } from "../../../src/engine/fold.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { formatSnapshot } from "../../../src/fleet/run-session.ts";
import type { Store } from "../../../src/store/port.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP, REPOSITORY, REVIEWER } from "../model/identities.ts";
import { findUnanswered } from "./answered.ts";
import type { Ledger } from "./ledger.ts";
import { findRestlessText, findUntrueCheck } from "./shown.ts";
import { judgeWaiting } from "./waiting.ts";
import { listWritten } from "./written.ts";

export interface Ending {
  readonly model: GitHubModel;
  readonly store: Store;
  readonly issue: number;
  /** Of the newest run. */
  readonly facts: readonly RecordedFact[];
  readonly ledger: Ledger;
}

/** @returns why the story is stuck, or null. */
export async function judgeEnd(ending: Ending): Promise<string | null> {
  const { model, store, issue, facts } = ending;
  const runs = await store.loadRunsOfIssue(REPOSITORY.id, issue);
  const own = listWritten(model).filter((comment) => comment.author.login === APP.login);
  if (runs.length === 0) {
    const state = model.issues.get(issue)?.timeline.now;
    const wanted = state?.state === "open" && state.labels.includes("taskfleet");
    return wanted && own.length === 0 ? "the run never began and nobody was told why" : null;
  }
  const state = foldAll(facts);
  if (state === null) return "a run without facts";
  const snapshot = await store.loadSnapshot({ repositoryId: REPOSITORY.id, runKey: state.run.run });
  if (snapshot !== null) {
    const again = foldAll(facts.filter((fact) => fact.seq <= snapshot.seq));
    if (again === null || formatSnapshot(again) !== snapshot.state) return "the snapshot is not what the facts give";
  }
  const stale = findStaleApproval(model, state);
  if (stale !== null) return stale;
  const unanswered = findUnanswered(ending, state.run.run);
  if (unanswered !== null) return unanswered;
  const shown = findUntrueCheck(model, state) ?? findRestlessText(model);
  if (shown !== null) return shown;
  return state.ended === null ? judgeWaiting(ending, state) : judgeOver(model, state, runs.at(-1)?.status ?? "open");
}

function isIn(model: GitHubModel, commit: Sha, branch: string): boolean {
  const head = model.head(branch);
  return head !== null && model.git.isAncestor(commit, head);
}

/** An approval speaks for one commit: on an open pull request none may stand that is about another one. */
function findStaleApproval(model: GitHubModel, state: RunState): string | null {
  const dropped = state.chunks.rows.filter((chunk) => chunk.skipped);
  const idle = new Set(dropped.flatMap((chunk) => chunk.pulls.map((pull) => pull.number)));
  for (const review of model.reviews) {
    const pull = model.pulls.get(review.pull)?.timeline.now;
    const stands = review.timeline.now === "APPROVED" || review.timeline.now === "CHANGES_REQUESTED";
    if (review.author.login !== REVIEWER.login || !stands || pull?.state !== "open" || idle.has(review.pull)) continue;
    // While the run lasts GitHub may still mark what has landed as merged.
    const integration = formatBranch({ kind: "integration", run: state.run.run });
    if (state.ended === null && isIn(model, review.commit, integration)) continue;
    if (pull.headSha !== review.commit)
      return `a review of ${review.commit.slice(0, 8)} stands on pull request ${review.pull}, which holds ${pull.headSha.slice(0, 8)}`;
  }
  return null;
}

/** What a person pushed on top once all was over stays theirs, with its pull request. */
function isPersons(model: GitHubModel, head: Sha): boolean {
  return parseTrailer(model.git.commit(head).message, "Taskfleet-Run") === null;
}

function judgeOver(model: GitHubModel, state: RunState, status: string): string | null {
  if (status !== "closed") return "the run has ended and its record is still open";
  const prefix = `taskfleet/${state.run.run}/`;
  for (const [branch, ref] of model.refs)
    if (branch.startsWith(prefix) && ref.now !== null && !isPersons(model, ref.now))
      return `the run has ended and ${branch} is left behind`;
  for (const pull of model.pulls.values())
    if (
      pull.head.startsWith(prefix) &&
      pull.timeline.now.state === "open" &&
      !isPersons(model, pull.timeline.now.headSha)
    )
      return `the run has ended and pull request ${pull.number} is open`;
  for (const pull of model.pulls.values()) {
    const { state: shown, merged, headSha } = pull.timeline.now;
    if (!pull.head.startsWith(`${prefix}chunk/`) || model.refs.get(pull.head)?.changedAt !== pull.timeline.changedAt)
      continue;
    // People may close a pull request by deleting its branch.
    if (model.deletedBy.get(pull.head) !== APP.login) continue;
    const base = model.refs.get(`${prefix}integration`)?.last((sha) => sha !== null) ?? null;
    if (base !== null && shown === "closed" && !merged && model.git.isAncestor(headSha, base))
      return `pull request ${pull.number} has landed and shows as closed`;
  }
  const key = state.ended === "answered" ? "direct-answer" : "report";
  const report = listWritten(model).find((comment) => hasMarker(comment.timeline.now, { run: state.run.run, key }));
  if (report === undefined) return "the run has ended without a report";
  if (state.merged?.verified === false && !report.timeline.now.includes("unverified"))
    return "what nobody verified was merged, and the report does not say so";
  return null;
}
