import { GATE_NAMES, type GateNumber } from "../../contracts/floor-result.ts";
import { findSuccessor } from "../derive/accept-progress.ts";
import { listChunkBlockers, REQUESTED_CHANGES } from "../derive/blockers.ts";
import {
  findFailedCandidate,
  isPlanGateOpen,
  listFeatureBlockers,
  listOverridableOfChunk,
  listOverridableOfFeature,
} from "../derive/overridable.ts";
import { isOverruled, listOpenGates } from "../derive/overrides.ts";
import type { Fact } from "../fact.ts";
import type { AcceptState, AttemptState, ChunkState, OverrideState, RunState } from "../state.ts";
import { changeAccept, changeChunk } from "./change.ts";
import { accept, type Outcome, refuse } from "./command-outcome.ts";
import { replaceLast } from "./omit.ts";

type CommandFact = Extract<Fact, { kind: "CommandReceived" }>;

/** Gates of the floor by number or name, and the judges beside it. */
const JUDGES = ["review", "plan"] as const;

/**
 * `/override <gate> <why>`: a person overrules what a gate found, for the chunk whose pull request the
 * comment stands on, or for the feature. It is recorded and shown in the report.
 */
export function override(state: RunState, fact: CommandFact): Outcome {
  const chunk = state.chunks.rows.find((one) => one.pulls.some((pull) => pull.number === fact.on)) ?? null;
  const outcome = overrule(state, fact, chunk);
  return outcome.accepted ? outcome : refuse(state, `${outcome.answer} ${describeOverridable(state, chunk)}`);
}

function overrule(state: RunState, fact: CommandFact, chunk: ChunkState | null): Outcome {
  const [first = "", ...rest] = fact.args.trim().split(/\s+/u);
  const { gate, words } = readGate(first.toLowerCase(), rest);
  const why = words.join(" ").slice(0, 1000);
  if (gate === null)
    return refuse(
      state,
      first === "" ? "Name a gate, and say why." : `No gate is named \`${first.slice(0, 40).replaceAll("`", "")}\`.`,
    );
  if (why === "") return refuse(state, `Say why: \`/override ${gate} <reason>\`. The reason is shown in the report.`);
  const entry = { gate, why, by: fact.by };
  if (gate === "plan") return overridePlan(state, entry);
  return chunk === null ? overrideAccept(state, entry) : overrideChunk(state, chunk, entry);
}

/** The names that would be taken now, there, or where else. */
function describeOverridable(state: RunState, chunk: ChunkState | null): string {
  const plan = isPlanGateOpen(state) ? ["plan"] : [];
  const here = [...(chunk === null ? listOverridableOfFeature(state) : listOverridableOfChunk(state, chunk)), ...plan];
  const elsewhere = state.chunks.rows.flatMap((one) => {
    const pull = one.pulls.at(-1);
    const names = one === chunk || pull === undefined ? [] : listOverridableOfChunk(state, one);
    return pull === undefined || names.length === 0
      ? []
      : [`on #${pull.number} (\`${one.id}\`): ${formatNames(names)}`];
  });
  const now =
    here.length === 0 ? "Nothing can be overruled here now." : `What can be overruled here now: ${formatNames(here)}.`;
  return elsewhere.length === 0 ? now : `${now} Elsewhere: ${elsewhere.slice(0, 5).join("; ")}.`;
}

function formatNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** A gate's name may have two words (`no gaming`). */
function readGate(
  first: string,
  rest: readonly string[],
): { readonly gate: string | null; readonly words: readonly string[] } {
  const names: readonly string[] = [...Object.values(GATE_NAMES), ...JUDGES];
  const numbered = /^[0-9]$/u.test(first) ? GATE_NAMES[Number(first) as GateNumber] : undefined;
  if (numbered !== undefined) return { gate: numbered, words: rest };
  for (let count = Math.min(2, rest.length); count >= 0; count -= 1) {
    const name = [first, ...rest.slice(0, count)].join(" ").toLowerCase().replaceAll("-", " ");
    if (names.includes(name)) return { gate: name, words: rest.slice(count) };
  }
  return { gate: null, words: [] };
}

type Entry = Pick<OverrideState, "gate" | "why" | "by">;

const NOWHERE = { chunk: null, attempt: null, accept: null, planning: null } as const;

function overridePlan(state: RunState, entry: Entry): Outcome {
  if (state.planning.done) return refuse(state, "No plan gate is open.");
  if (!isPlanGateOpen(state)) return refuse(state, "There is no valid draft whose review could be overruled.");
  return accept(
    record(state, { ...entry, ...NOWHERE, planning: state.planning.n }),
    "The plan's review is overruled: the draft is committed and waits for approval.",
  );
}

function overrideChunk(state: RunState, chunk: ChunkState, entry: Entry): Outcome {
  const last = chunk.attempts.at(-1);
  if (chunk.landed !== null || last === undefined)
    return refuse(state, `Chunk \`${chunk.id}\` has nothing to overrule.`);
  const recorded = record(state, { ...entry, ...NOWHERE, chunk: chunk.id, attempt: last.n });
  const set = (stage: "floor-passed" | "verified"): RunState =>
    changeChunk(recorded, chunk.id, (one) => ({
      ...one,
      freed: one.freed + 1,
      stopped: null,
      attempts: replaceLast(one.attempts, { ...last, stage }),
      countFrom: countAgain(one),
    }));
  if (entry.gate === "review") {
    const requests = listChunkBlockers(state, chunk, last.n);
    const at = { ...NOWHERE, chunk: chunk.id, attempt: last.n };
    if (last.stage === "verified" && requests.length > 0)
      return accept(
        ignoreRequests(state, requests, { ...entry, ...at }),
        `The changes ${requests.join(", ")} requested of \`${chunk.id}\` are overruled: it lands.`,
      );
    if (last.stage !== "review-failed")
      return refuse(
        state,
        `No review of chunk \`${chunk.id}\` failed last, and nobody's request for changes holds it.`,
      );
    const also = requests.length === 0 ? "" : `, and so are the changes ${requests.join(", ")} requested`;
    return accept(
      ignoreRequests(set("verified"), requests, { ...entry, ...at }),
      `The review of \`${chunk.id}\` (attempt ${last.n}) is overruled${also}: it lands.`,
    );
  }
  if (last.stage === "integration-failed") return overrideCandidate(state, recorded, chunk, last, entry);
  if (last.stage !== "floor-failed" || last.floor === null)
    return refuse(state, `No floor of chunk \`${chunk.id}\` failed last.`);
  if (!listOverridableOfChunk(state, chunk).includes(entry.gate))
    return refuse(state, `Gate \`${entry.gate}\` does not hold \`${chunk.id}\` (attempt ${last.n}).`);
  const open = listOverridableOfChunk(recorded, chunk);
  if (open.length > 0)
    return accept(
      recorded,
      `Gate \`${entry.gate}\` of \`${chunk.id}\` (attempt ${last.n}) is overruled. Still failing: ${open.join(", ")}.`,
    );
  return accept(
    set("floor-passed"),
    `The floor of \`${chunk.id}\` (attempt ${last.n}) is overruled: a reviewer looks at it now.`,
  );
}

/** Its own floor passed, or was overruled; what fails is the whole with what has landed, which the check on it shows. */
function overrideCandidate(
  state: RunState,
  recorded: RunState,
  chunk: ChunkState,
  last: AttemptState,
  entry: Entry,
): Outcome {
  if (!listOverridableOfChunk(state, chunk).includes(entry.gate))
    return refuse(state, `Gate \`${entry.gate}\` does not hold \`${chunk.id}\` on the branch's tip.`);
  const failed = findFailedCandidate(recorded, chunk.id)?.floor?.result;
  const subject = { chunk: chunk.id, attempt: last.n, accept: null };
  const open = failed === undefined ? [] : listOpenGates(failed, recorded, subject);
  if (open.length > 0)
    return accept(
      recorded,
      `Gate \`${entry.gate}\` of \`${chunk.id}\` on the branch's tip is overruled. Still failing: ${open.join(", ")}.`,
    );
  return accept(
    changeChunk(recorded, chunk.id, (one) => ({
      ...one,
      freed: one.freed + 1,
      stopped: null,
      attempts: replaceLast(one.attempts, { ...last, stage: "verified" }),
      countFrom: countAgain(one),
    })),
    `What \`${chunk.id}\` (attempt ${last.n}) fails together with what has landed is overruled: it lands.`,
  );
}

/** Its newest attempt goes on, and what happens to it from now on counts, also where `/retry` had done with it. */
function countAgain({ countFrom, attempts }: ChunkState): number {
  return Math.min(countFrom, attempts.length - 1);
}

function overrideAccept(state: RunState, entry: Entry): Outcome {
  const last = state.accepts.at(-1);
  if (last === undefined) return refuse(state, "Comment on the pull request of the chunk that is meant.");
  switch (findSuccessor(last, state)) {
    case "mended":
      return refuse(
        state,
        "What was found is being mended by a new plan revision: the feature is verified anew after it.",
      );
    case "source-moved":
      return refuse(state, "The source branch has moved: the feature is verified anew on it first.");
    case "tip-moved":
      return refuse(state, "The integration branch has moved: the feature is verified anew first.");
    case null:
  }
  const recorded = record(state, { ...entry, ...NOWHERE, accept: last.n });
  if (entry.gate === "review") return overrideFinalReview(state, last, entry);
  if (entry.gate === "ci") {
    if (last.accepted === null) return refuse(state, "The repository's own checks have not run yet.");
    if (!listOverridableOfFeature(state).includes("ci"))
      return refuse(state, "The repository's own checks hold nothing up.");
    return accept(
      changeAccept(recorded, last.n, (one) => ({ ...one, ci: { state: "pass", rows: one.ci?.rows ?? [] } })),
      "The repository's own checks are overruled.",
    );
  }
  if (last.floor?.result.outcome !== "fail") return refuse(state, "The floor of the whole feature did not fail.");
  if (!listOverridableOfFeature(state).includes(entry.gate))
    return refuse(state, `Gate \`${entry.gate}\` does not hold the whole feature.`);
  const open = listOpenGates(last.floor.result, recorded, { chunk: null, attempt: null, accept: last.n });
  return accept(
    recorded,
    open.length === 0
      ? "The floor of the whole feature is overruled."
      : `Gate \`${entry.gate}\` is overruled. Still failing: ${open.join(", ")}.`,
  );
}

/** What the final reviewer found, and what writers request of the feature: both stand in its way as reviews. */
function overrideFinalReview(state: RunState, last: AcceptState, entry: Entry): Outcome {
  const at = { ...NOWHERE, accept: last.n };
  const requests = listFeatureBlockers(state);
  if (last.review === null)
    return refuse(
      state,
      requests.length === 0
        ? "The final review did not fail."
        : "The final review is not done yet, and nobody overrules what it has not found yet.",
    );
  const failed =
    last.review.result.outcome === "fail" && !isOverruled(state.overrides, "review", { ...at, accept: last.n });
  if (!failed && requests.length === 0)
    return refuse(state, "The final review did not fail, and nobody's request for changes holds the feature.");
  const recorded = failed ? record(state, { ...entry, ...at }) : state;
  const whose = `changes ${requests.join(", ")} requested of the feature`;
  return accept(
    ignoreRequests(recorded, requests, { ...entry, ...at }),
    failed
      ? `The final review is overruled${requests.length === 0 ? "" : `, and so are the ${whose}`}.`
      : `The ${whose} are overruled: they do not keep it from being merged.`,
  );
}

/** Only what stands now: who requests changes later is heard. */
function ignoreRequests(state: RunState, requests: readonly string[], entry: OverrideState): RunState {
  return requests.length === 0 ? state : record(state, { ...entry, gate: REQUESTED_CHANGES, requests });
}

function record(state: RunState, entry: OverrideState): RunState {
  return { ...state, overrides: [...state.overrides, entry] };
}
