/** I9: a run that goes no further waits for people, and for every part of it that stands still they can see why. */
import { parseMarker } from "../../../src/contracts/names.ts";
import type { Chunk } from "../../../src/contracts/plan.ts";
import { decide } from "../../../src/engine/decide.ts";
import { listQuestions, type Need } from "../../../src/engine/derive/needs.ts";
import { deriveProposal } from "../../../src/engine/derive/plan-progress.ts";
import type { RunState } from "../../../src/engine/state.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP } from "../model/identities.ts";
import type { ModelPull } from "../model/things.ts";
import type { Ending } from "./end.ts";
import { findStop } from "./stops.ts";
import { listWritten } from "./written.ts";

/** @returns why nobody can know what it waits for, or null. */
export function judgeWaiting({ model, facts, ledger }: Ending, state: RunState): string | null {
  const now = model.time.now();
  const { run } = state.run;
  const asked = listAsked(model, run);
  const questions = listQuestions(state, now);
  const unasked = questions.find((question) => !asked.some((one) => one.key === `need:${question.key}`));
  if (unasked !== undefined) return `nobody was asked about ${unasked.key}`;
  const stop = findStop(facts);
  if (stop !== null && stop.question !== null) {
    const { question, since } = stop;
    if (!asked.some(({ key, at }) => key.startsWith(question) && at >= since))
      return `it stands still because of ${stop.words}, and nobody was asked`;
  }
  if (isPaused(state)) return null;
  if (questions.some(stopsEverything)) return null;
  const proposal = deriveProposal(state);
  if (proposal !== null && asked.some(({ key }) => key === `approval:${proposal.rev}`)) return null;
  const plan = ledger.approvedPlan;
  const open = plan?.chunks.filter(({ id }) => !isSettled(state, id)) ?? [];
  const silent = open.find((chunk) => !isExplained(chunk, open, { model, asked, ledger, state }));
  if (silent === undefined && open.length > 0) return null;
  if (silent === undefined && isFeatureVisible(model, state)) return null;
  const { waits, actions } = decide(state, now, { staleReadMs: 120_000 });
  const told = [
    ...actions.map((action) => `to do: ${action.key}`),
    ...waits.map((wait) => `${wait.subject}: ${wait.what}`),
  ];
  const who = silent === undefined ? "it" : `chunk ${silent.id}`;
  return `${who} waits for nothing people could see (${told.slice(0, 6).join("; ") || "nothing at all"})`;
}

/** Whatever the engine keeps of it. */
function isPaused(state: RunState): boolean {
  return state.paused !== null;
}

function isSettled(state: RunState, id: string): boolean {
  const chunk = state.chunks.rows.find((one) => one.id === id);
  return chunk !== undefined && (chunk.landed !== null || chunk.skipped);
}

/** A question about one chunk, or about something that is only shown, keeps nothing else from going on. */
function stopsEverything(need: Need): boolean {
  if (need.kind === "failure") return !/^(?:check|comment|dismiss|delete|feature-body|status)/u.test(need.effect);
  return need.kind !== "escalation";
}

interface Asked {
  readonly key: string;
  readonly at: number;
}

function listAsked(model: GitHubModel, run: RunState["run"]["run"]): readonly Asked[] {
  const found: Asked[] = [];
  for (const { author, timeline, createdAt } of listWritten(model)) {
    const marker = author.login === APP.login ? parseMarker(timeline.now) : null;
    if (marker?.run === run) found.push({ key: marker.key, at: createdAt });
  }
  return found;
}

interface Sight extends Pick<Ending, "model" | "ledger"> {
  readonly asked: readonly Asked[];
  readonly state: RunState;
}

/** It is with people; or another one that is open comes first, and that one is with people. No two wait for each other. */
function isExplained(chunk: Chunk, open: readonly Chunk[], sight: Sight): boolean {
  if (isWithPeople(chunk, sight)) return true;
  const above = listAbove(chunk, sight.ledger.approvedPlan?.chunks ?? []);
  const others = open.filter((other) => other.id !== chunk.id);
  // What the ones above wait for is asked about themselves.
  if (others.some((other) => above.has(other.id))) return true;
  return others.some((other) => isOverlapping(chunk, other) && isWithPeople(other, sight));
}

/** A person has its branch, or has deleted it, is asked about it, or has asked for changes. */
function isWithPeople({ id }: Chunk, { model, asked, ledger, state }: Sight): boolean {
  const branch = `taskfleet/${state.run.run}/chunk/${id}`;
  const isTheirs = model.head(branch) !== null || (model.deletedBy.get(branch) ?? APP.login) !== APP.login;
  if (ledger.chunks.get(id)?.taken === true && isTheirs) return true;
  const escalated = asked.findLast(({ key }) => key.startsWith(`need:escalation:${id}:`));
  if (escalated !== undefined && escalated.at >= (ledger.lastStarts.get(id) ?? 0)) return true;
  return listOpenPulls(model, branch).some((pull) => isBlocked(model, pull));
}

function isOverlapping(one: Chunk, other: Chunk): boolean {
  return other.files_touched.some((path) => one.files_touched.includes(path));
}

/** What a chunk builds on, also by way of others, landed or not. */
function listAbove(chunk: Chunk, chunks: readonly Chunk[], found = new Set<string>()): ReadonlySet<string> {
  for (const dep of chunk.deps ?? []) {
    if (found.has(dep)) continue;
    found.add(dep);
    const next = chunks.find(({ id }) => id === dep);
    if (next !== undefined) listAbove(next, chunks, found);
  }
  return found;
}

/** All has landed: a person merges it, or does not want it so. */
function isFeatureVisible(model: GitHubModel, state: RunState): boolean {
  const pulls = listOpenPulls(model, `taskfleet/${state.run.run}/integration`);
  if (pulls.some((pull) => isBlocked(model, pull))) return true;
  return state.run.config.merge.feature === "human" && pulls.some((pull) => !pull.timeline.now.draft);
}

function listOpenPulls(model: GitHubModel, head: string): readonly ModelPull[] {
  return [...model.pulls.values()].filter((pull) => pull.head === head && pull.timeline.now.state === "open");
}

/** Whether the newest word of anybody who may write asks for changes. */
function isBlocked(model: GitHubModel, pull: ModelPull): boolean {
  const words = new Map<string, string>();
  for (const { pull: on, author, timeline } of model.reviews)
    if (on === pull.number && !author.bot && timeline.now !== "COMMENTED") words.set(author.login, timeline.now);
  const now = model.time.now();
  return [...words].some(([login, word]) => word === "CHANGES_REQUESTED" && model.hadWriteAccess(login, now, now));
}
