import { formatBranch } from "../../contracts/names.ts";
import { listAgents } from "../../contracts/config.ts";
import { parseSaying } from "../../contracts/saying.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import type { Fact } from "../fact.ts";
import { findLiveAttempt } from "../derive/chunk-progress.ts";
import { listOpenCheckpoints, type ReachedCheckpoint } from "../derive/checkpoints.ts";
import { formatPauses } from "../derive/pauses.ts";
import { deriveActiveRevision, deriveHold, deriveProposal, findChunk } from "../derive/plan-progress.ts";
import type { ChunkState, CommandState, RunState } from "../state.ts";
import { listUnassignable } from "../derive/unassignable.ts";
import { changeChunk } from "./change.ts";
import { accept, type Outcome, refuse } from "./command-outcome.ts";
import { closeAgain } from "./fold-effect.ts";
import { override } from "./fold-override.ts";
import { approveRevision, startPlanning } from "./fold-plan.ts";
import { endPauses, pause } from "./pause.ts";
import { putRow } from "../table.ts";
import { replaceLast } from "./omit.ts";

type CommandFact = Extract<Fact, { kind: "CommandReceived" }>;

/** What a command does is decided once, when it is recorded; the answer is posted later. */
export function foldCommand(state: RunState, fact: CommandFact, at: number): RunState {
  const { state: next, accepted, answer } = obey(state, fact);
  const command: CommandState = {
    key: `${fact.comment}:${fact.line}`,
    comment: fact.comment,
    on: fact.on,
    by: fact.by,
    name: fact.name,
    args: fact.args,
    at,
    accepted,
    answer,
  };
  return { ...next, commands: [...next.commands, command] };
}

function obey(state: RunState, fact: CommandFact): Outcome {
  const over = describeEnd(state);
  if (over !== null && !isAlwaysHeard(state, fact.name)) return refuse(state, over);
  switch (fact.name) {
    case "approve":
      return approve(state, fact);
    case "replan":
      return replan(state, fact);
    case "cancel":
      return accept(
        { ...state, cancelled: state.cancelled ?? { by: fact.by, why: `/cancel by ${fact.by}` } },
        "Cancelling: jobs are stopped, nothing lands any more, and the branches go away.",
      );
    case "pause":
      return accept(
        pause(state, { why: "person", by: fact.by }),
        "Paused: nothing new is dispatched or landed until `/resume`.",
      );
    case "resume":
      return resume(state, fact);
    case "retry":
      return onChunk(state, fact, (id) =>
        accept(
          changeChunk(forgetLostFloors(state, id), id, (chunk) => ({
            ...countAfresh(chunk),
            freed: chunk.freed + 1,
            skipped: false,
            stopped: null,
            taken: null,
          })),
          `Chunk \`${id}\` gets fresh tries.`,
        ),
      );
    case "skip":
      return onChunk(state, fact, (id) =>
        accept(
          changeChunk(closeAgain(supersedeLast(state, id), id), id, (chunk) => ({ ...chunk, skipped: true })),
          `Chunk \`${id}\` is dropped: its pull request is closed, and what depends on it goes on without it.`,
        ),
      );
    case "assign":
      return assign(state, fact);
    case "take":
      return onChunk(state, fact, (id) =>
        accept(
          changeChunk(supersedeLast(state, id), id, (chunk) => ({
            ...chunk,
            taken: { by: fact.by, base: null },
            countFrom: chunk.attempts.length,
            freed: chunk.freed + 1,
            skipped: false,
            stopped: null,
          })),
          `Chunk \`${id}\` is yours: push to its branch \`${formatBranch({ kind: "chunk", run: state.run.run, chunk: id })}\`. The same gates judge it.`,
        ),
      );
    case "override":
      return override(state, fact);
    case "status":
      return accept(state, "");
    case "help":
      return accept(state, "");
    case "unknown":
      return refuse(state, "I do not know this command.");
  }
}

/** What is asked, not commanded; and one that cancels what somebody else has cancelled at the same moment. */
function isAlwaysHeard(state: RunState, name: CommandFact["name"]): boolean {
  return (
    name === "status" || name === "help" || (name === "cancel" && state.cancelled !== null && state.ended === null)
  );
}

/** Why nothing is going to be done any more, whatever is commanded; or null. */
function describeEnd(state: RunState): string | null {
  if (state.ended !== null) return `This run has ended (${state.ended}). Label the issue again to start a new one.`;
  if (state.merged !== null)
    return `The feature is merged into \`${state.run.source}\`: the run is about to end. Label a new issue for further work.`;
  if (state.cancelled !== null)
    return `The run is cancelled (${state.cancelled.why}) and about to end. Label the issue again once it has ended to start a new one.`;
  if (state.answerText !== null)
    return "The issue is answered, nothing had to be changed: the run is about to end. Label the issue again once it has ended to start a new one.";
  return null;
}

/** A hash's beginning that nobody writes by chance. */
const SURE_PREFIX = 7;

/** `/approve [hash prefix]` binds the revision that was shown when the comment was made. */
function approve(state: RunState, fact: CommandFact): Outcome {
  const proposal = deriveProposal(state);
  if (proposal === null) {
    if (state.approved !== null) return refuse(state, `Plan revision ${state.approved.rev} is approved already.`);
    return refuse(state, "There is no plan to approve yet. I ask in a comment when it is ready.");
  }
  const question = state.comments[`approval:${proposal.rev}`];
  const prefix = fact.args.trim().split(/\s+/u)[0]?.toLowerCase() ?? "";
  // Comment ids grow with time, so a smaller one was written before the revision was shown. Who names its hash has
  // seen it elsewhere, as in the feature pull request where the issue takes no comments.
  // A review has another number, and a time of GitHub's clock: who approves in one names what they approve.
  const saying = parseSaying(fact.comment);
  const shown = question !== undefined && saying.kind !== "review" && fact.comment >= question.id;
  const isNamed = prefix.length >= SURE_PREFIX && proposal.hash.startsWith(prefix);
  if (saying.kind === "review" && !isNamed)
    return refuse(
      state,
      `In a review say which revision you approve: \`/approve ${proposal.hash.slice(0, 12)}\` is revision ${proposal.rev}. In a comment \`/approve\` is enough.`,
    );
  if (!shown && !isNamed)
    return refuse(
      state,
      `Plan revision ${proposal.rev} was not shown yet when you wrote this. Please look at it and \`/approve\` again.`,
    );
  if (prefix !== "" && !proposal.hash.startsWith(prefix))
    return refuse(
      state,
      `\`${prefix.slice(0, 64)}\` is not how the hash of revision ${proposal.rev} begins (${proposal.hash.slice(0, 12)}).`,
    );
  const next = approveRevision(state, proposal.rev, { by: fact.by, why: `/approve by ${fact.by}` });
  const hold = deriveHold(next) ?? describeUnsettled(next);
  return accept(
    next,
    `Plan revision ${proposal.rev} (${proposal.hash.slice(0, 12)}) is approved. ${hold === null ? "Chunks are being dispatched." : `Nothing starts yet: ${hold}.`}`,
  );
}

/** What people have to settle before anything new starts, or null. */
function describeUnsettled(state: RunState): string | null {
  const unassignable = listUnassignable(state);
  const checkpoints = listOpenCheckpoints(state);
  const missing = [
    ...(unassignable.length === 0
      ? []
      : [`no agent fits ${formatChunks(unassignable)} (\`/assign\`, \`/take\` or \`/skip\` settles it)`]),
    ...(checkpoints.length === 0
      ? []
      : [`the checkpoint after ${formatChunks(checkpoints.map((one) => one.chunk))} waits for \`/resume\``]),
  ];
  return missing.length === 0 ? null : missing.join("; ");
}

function formatChunks(ids: readonly ChunkId[]): string {
  return ids.map((id) => `\`${id}\``).join(", ");
}

function replan(state: RunState, fact: CommandFact): Outcome {
  const request = { text: fact.args, by: fact.by, comment: fact.comment };
  const begun = { ...startPlanning(state, request), baseline: captureAfresh(state) };
  // The run holds still by itself until the new revision is approved, and what an edit of the issue means is said.
  const next = endPauses(begun, ["person", "edited"]);
  if (next.paused !== null)
    return accept(
      next,
      `A new plan revision is written as soon as the run goes on: it is paused by ${formatPauses(next.paused)}, so \`/resume\` comes first.`,
    );
  const ended = state.paused === null ? "" : ` The pause by ${formatPauses(state.paused)} is over.`;
  return accept(
    next,
    state.revisions.length === 0
      ? `The plan is being written anew.${ended}`
      : `A new plan revision is being written. Nothing new is dispatched or landed until it is approved; what has landed stays.${ended}`,
  );
}

/** Where no baseline came of its tries, it is tried again: what was in the way may have passed. */
function captureAfresh({ baseline, run }: RunState): RunState["baseline"] {
  const tries = baseline.refused.length + baseline.lost.length;
  return tries < run.config.limits.tries ? baseline : { ...baseline, refused: [], lost: [] };
}

function assign(state: RunState, fact: CommandFact): Outcome {
  const agentName = fact.args.trim().split(/\s+/u)[1] ?? "";
  const known = listAgents(state.run.config).map((agent) => agent.name);
  if (!known.includes(agentName))
    return refuse(state, `No agent is named \`${agentName.slice(0, 100)}\`. There are: ${known.join(", ")}.`);
  return onChunk(state, fact, (id) =>
    accept(
      changeChunk(state, id, (chunk) => ({
        ...chunk,
        agent: agentName,
        // What the former agent is at is not waited for.
        attempts: supersedeLive(chunk),
        countFrom: chunk.attempts.length,
        freed: chunk.freed + 1,
        skipped: false,
        stopped: null,
        taken: null,
      })),
      `Chunk \`${id}\` goes to agent \`${agentName}\`.`,
    ),
  );
}

/** Goes on after a pause, a checkpoint, or a closed feature pull request. */
function resume(state: RunState, fact: CommandFact): Outcome {
  const open = listOpenCheckpoints(state);
  const checkpoints = open.filter((checkpoint) => mayHaveSeen(state, fact, checkpoint));
  const unseen = open.filter((checkpoint) => !checkpoints.includes(checkpoint));
  const more =
    unseen.length === 0
      ? ""
      : ` The checkpoint after ${formatChunks(unseen.map((one) => one.chunk))} was not shown yet when you wrote this: please look at what has landed and \`/resume\` again.`;
  if (state.paused === null && checkpoints.length === 0)
    return refuse(state, more === "" ? "The run is not paused." : more.trim());
  const closed = state.featurePull?.settled === "closed";
  return accept(
    {
      ...state,
      paused: null,
      passedCheckpoints: [...state.passedCheckpoints, ...checkpoints.map((checkpoint) => checkpoint.key)],
      // A closed feature pull request is opened anew.
      featurePull: closed ? null : state.featurePull,
    },
    checkpoints.length === 0
      ? `Resumed.${more}`
      : `Resumed: the checkpoint after ${formatChunks(checkpoints.map((one) => one.chunk))} is passed.${more}`,
  );
}

/**
 * Comment ids grow with time: one written before the question was asked speaks of another checkpoint. Where GitHub
 * refuses to take the question there is nothing to wait for, and a button or a review has a number of another kind.
 */
function mayHaveSeen(state: RunState, { comment }: CommandFact, { key }: ReachedCheckpoint): boolean {
  if (parseSaying(comment).kind !== "comment") return true;
  const marker = `need:checkpoint:${key}`;
  const question = state.comments[marker];
  if (question !== undefined) return question.id <= comment;
  return (state.failures[`comment:${marker}`]?.refusals ?? 0) > 0;
}

/**
 * What failed so far counts no more. An attempt that is under way goes on, and what happens to it from
 * now on counts: its reviewers and lost jobs have limits too.
 */
function countAfresh(chunk: ChunkState): ChunkState {
  const live = findLiveAttempt(chunk);
  if (live === null) return { ...chunk, countFrom: chunk.attempts.length };
  const attempts = replaceLast(chunk.attempts, { ...live, voidReviews: 0, lostJobs: 0 });
  return { ...chunk, attempts, countFrom: attempts.length - 1 };
}

/** What it rides on is verified again, too. */
function forgetLostFloors(state: RunState, id: ChunkId): RunState {
  const riding = state.candidates.rows.filter((one) => one.lostJobs > 0 && one.chunks.includes(id));
  const candidates = riding.reduce((table, one) => putRow(table, one.hash, { ...one, lostJobs: 0 }), state.candidates);
  return { ...state, candidates };
}

function supersedeLive(chunk: ChunkState): ChunkState["attempts"] {
  const live = findLiveAttempt(chunk);
  return live === null ? chunk.attempts : replaceLast(chunk.attempts, { ...live, stage: "superseded" });
}

function supersedeLast(state: RunState, id: ChunkId): RunState {
  return changeChunk(state, id, (chunk) => {
    const last = chunk.attempts.at(-1);
    if (last === undefined) return chunk;
    return { ...chunk, attempts: replaceLast(chunk.attempts, { ...last, stage: "superseded" as const }) };
  });
}

function onChunk(state: RunState, fact: CommandFact, then: (id: ChunkId) => Outcome): Outcome {
  const name = fact.args.trim().split(/\s+/u)[0] ?? "";
  const chunk = state.chunks.rows.find((entry) => entry.id === name);
  if (chunk === undefined) {
    const known = state.chunks.keys;
    if (known.length === 0) return refuse(state, "There are no chunks yet: the plan is not approved.");
    return refuse(state, `No chunk is named \`${name.slice(0, 100)}\`. There are: ${known.join(", ")}.`);
  }
  if (chunk.landed !== null) return refuse(state, `Chunk \`${chunk.id}\` has landed already.`);
  const revision = deriveActiveRevision(state);
  if (revision !== null && findChunk(revision, chunk.id) === undefined)
    return refuse(
      state,
      `Plan revision ${revision.rev} does not contain \`${chunk.id}\` any more: \`/replan\` brings it back.`,
    );
  return then(chunk.id);
}
