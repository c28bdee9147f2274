import { GATE_NAMES, type GateNumber } from "../../contracts/floor-result.ts";
import { listOpenGates } from "../derive/overrides.ts";
import { deriveProposal } from "../derive/plan-progress.ts";
import type { Fact } from "../fact.ts";
import type { AttemptState, ChunkState, OverrideState, RunState } from "../state.ts";
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
  const [first = "", ...rest] = fact.args.trim().split(/\s+/u);
  const { gate, words } = readGate(first.toLowerCase(), rest);
  const why = words.join(" ").slice(0, 1000);
  if (gate === null)
    return refuse(
      state,
      `Name a gate: ${[...Object.values(GATE_NAMES), ...JUDGES].map((name) => `\`${name}\``).join(", ")}.`,
    );
  if (why === "") return refuse(state, `Say why: \`/override ${gate} <reason>\`. The reason is shown in the report.`);
  const entry = { gate, why, by: fact.by };
  if (gate === "plan") return overridePlan(state, entry);
  const chunk = state.chunks.rows.find((one) => one.pulls.some((pull) => pull.number === fact.on));
  return chunk === undefined ? overrideAccept(state, entry) : overrideChunk(state, chunk, entry);
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
  if (state.planning.done || deriveProposal(state) !== null) return refuse(state, "No plan gate is open.");
  if (state.planning.drafts.at(-1)?.outcome !== "valid")
    return refuse(state, "There is no valid draft whose review could be overruled.");
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
      stopped: null,
      attempts: replaceLast(one.attempts, { ...last, stage }),
    }));
  if (entry.gate === "review") {
    const blocked = chunk.pulls.some((pull) => (state.blockers[pull.number]?.logins.length ?? 0) > 0);
    if (last.stage === "verified" && blocked)
      return accept(recorded, `The requested changes on \`${chunk.id}\` are overruled: it lands.`);
    if (last.stage !== "review-failed") return refuse(state, `No review of chunk \`${chunk.id}\` failed last.`);
    return accept(set("verified"), `The review of \`${chunk.id}\` (attempt ${last.n}) is overruled: it lands.`);
  }
  if (last.stage === "integration-failed") return overrideCandidate(state, recorded, chunk, last, entry);
  if (last.stage !== "floor-failed" || last.floor === null)
    return refuse(state, `No floor of chunk \`${chunk.id}\` failed last.`);
  const open = listOpenGates(last.floor.result, recorded, {
    chunk: chunk.id,
    attempt: last.n,
    accept: null,
  });
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
  const failed = recorded.candidates.rows.findLast(
    ({ floor, chunks }) => floor !== null && chunks.length === 1 && chunks[0] === chunk.id,
  );
  if (failed === undefined || failed.floor === null)
    return refuse(state, `No floor of chunk \`${chunk.id}\` failed last.`);
  const open = listOpenGates(failed.floor.result, recorded, { chunk: chunk.id, attempt: last.n, accept: null });
  if (open.length > 0)
    return accept(
      recorded,
      `Gate \`${entry.gate}\` of \`${chunk.id}\` on the branch's tip is overruled. Still failing: ${open.join(", ")}.`,
    );
  return accept(
    changeChunk(recorded, chunk.id, (one) => ({
      ...one,
      stopped: null,
      attempts: replaceLast(one.attempts, { ...last, stage: "verified" }),
    })),
    `What \`${chunk.id}\` (attempt ${last.n}) fails together with what has landed is overruled: it lands.`,
  );
}

function overrideAccept(state: RunState, entry: Entry): Outcome {
  const last = state.accepts.at(-1);
  if (last === undefined) return refuse(state, "Comment on the pull request of the chunk that is meant.");
  const recorded = record(state, { ...entry, ...NOWHERE, accept: last.n });
  if (entry.gate === "review") {
    if (last.review?.result.outcome !== "fail") return refuse(state, "The final review did not fail.");
    return accept(recorded, "The final review is overruled.");
  }
  if (entry.gate === "ci") {
    if (last.accepted === null) return refuse(state, "The repository's own checks have not run yet.");
    return accept(
      changeAccept(recorded, last.n, (one) => ({ ...one, ci: { state: "pass", rows: one.ci?.rows ?? [] } })),
      "The repository's own checks are overruled.",
    );
  }
  if (last.floor?.result.outcome !== "fail") return refuse(state, "The floor of the whole feature did not fail.");
  const open = listOpenGates(last.floor.result, recorded, { chunk: null, attempt: null, accept: last.n });
  return accept(
    recorded,
    open.length === 0
      ? "The floor of the whole feature is overruled."
      : `Gate \`${entry.gate}\` is overruled. Still failing: ${open.join(", ")}.`,
  );
}

function record(state: RunState, entry: OverrideState): RunState {
  return { ...state, overrides: [...state.overrides, entry] };
}
