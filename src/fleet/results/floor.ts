import { type Captures, capturesSchema } from "../../contracts/captures.ts";
import { ACCEPTANCE_OWNER, listAcceptanceChecks } from "../../contracts/criteria.ts";
import type { ChunkId, Sha } from "../../contracts/ids.ts";
import { formatEvidenceFolder } from "../../contracts/names.ts";
import type { Chunk, Plan } from "../../contracts/plan.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import { listProtectedAllowance } from "../../engine/derive/protected-allowance.ts";
import type { Fact, FloorSubject } from "../../engine/fact.ts";
import type { JobState, RunState } from "../../engine/state.ts";
import { computeFloor } from "../../floor/compute-floor.ts";
import type { ExpectedCheck, FloorInput } from "../../floor/floor-input.ts";
import type { RunSession } from "../run-session.ts";
import { NOT_EXPECTED, TREE_UNLISTED, type Untaken } from "./done-result.ts";
import { loadChanges } from "./load-changes.ts";
import { findRow } from "../../engine/table.ts";

/** What a floor job was about. */
interface Judged {
  readonly subject: FloorSubject;
  readonly kind: FloorInput["subject"];
  readonly commit: Sha;
  readonly base: Sha;
  /** The verified integration commit it stands on. */
  readonly tip: Sha;
  /** The chunks whose scopes and checks count. */
  readonly riding: readonly Chunk[];
  readonly checked: readonly Chunk[];
  readonly acceptance: boolean;
}

export async function interpretFloor(
  session: RunSession,
  job: JobState,
  name: string,
  captures: Captures,
): Promise<readonly Fact[] | Untaken> {
  const { state, repository, fleet } = session;
  const plan = deriveActiveRevision(state)?.plan ?? null;
  const judged = plan === null ? null : findJudged(state, plan, job, name);
  const bound = state.baseline.bound;
  if (plan === null || judged === null || bound === null) return NOT_EXPECTED;
  const baseline = await loadCaptures(session, bound.document);
  // What landed after an attempt began is the candidate's business, not the attempt's.
  const verified = state.verified[judged.tip];
  const tip = verified === undefined ? null : await loadCaptures(session, verified);
  const { changes, treePaths } = await loadChanges(
    repository,
    judged.base,
    judged.commit,
    formatEvidenceFolder(state.run.run),
  );
  if (treePaths === null) return TREE_UNLISTED;
  const declared = judged.riding.flatMap((chunk) => chunk.files_touched);
  const result = computeFloor({
    subject: judged.kind,
    commit: judged.commit,
    captures,
    baseline,
    tip,
    // A feature's base is the source head, on which nothing was captured.
    base: judged.kind === "feature" ? null : tip,
    scope: {
      allowed: declared,
      protectedAllowed: listProtectedAllowance(state, judged.riding),
      requiresTests: judged.riding.some((chunk) => chunk.requires_tests === true),
    },
    changes,
    treePaths,
    expectedChecks: listExpectedChecks(plan, judged),
    config: state.run.config.floor,
    protectedPatterns: state.run.config.protected,
    // The repository's own checks are gathered once, on the accepted commit.
    ci: null,
  });
  const document = await fleet.store.putDocument(JSON.stringify(captures));
  return [{ kind: "FloorComputed", job: job.job, subject: judged.subject, commit: judged.commit, result, document }];
}

function findJudged(state: RunState, plan: Plan, job: JobState, name: string): Judged | null {
  const landed = plan.chunks.filter((chunk) => findRow(state.chunks, chunk.id as ChunkId)?.landed !== null);
  if (name.startsWith("chunk-")) {
    const id = name.slice("chunk-".length) as ChunkId;
    const chunk = plan.chunks.find((entry) => entry.id === id);
    const attempt = findRow(state.chunks, id)?.attempts.find((entry) => entry.n === job.attemptOf);
    if (chunk === undefined || attempt === undefined || attempt.head === null) return null;
    return {
      subject: { kind: "attempt", chunk: id, attempt: attempt.n },
      kind: "chunk",
      commit: attempt.head,
      base: attempt.base,
      tip: attempt.base,
      riding: [chunk],
      checked: [chunk],
      acceptance: false,
    };
  }
  if (name.startsWith("candidate-")) {
    const hash = name.slice("candidate-".length);
    const candidate = state.candidates.rows.find((entry) => entry.hash === hash);
    if (candidate === undefined) return null;
    const riding = plan.chunks.filter((chunk) => candidate.chunks.includes(chunk.id as ChunkId));
    return {
      subject: { kind: "candidate", hash },
      kind: "candidate",
      commit: candidate.commit,
      base: candidate.base,
      tip: candidate.base,
      riding,
      checked: [...landed, ...riding],
      acceptance: false,
    };
  }
  const accept = state.accepts.find((entry) => `accept-${entry.n}` === name);
  if (accept === undefined) return null;
  return {
    subject: { kind: "accept", n: accept.n },
    kind: "feature",
    commit: accept.commit,
    base: accept.source,
    tip: accept.tip,
    riding: landed,
    checked: landed,
    acceptance: true,
  };
}

function listExpectedChecks(plan: Plan, judged: Judged): readonly ExpectedCheck[] {
  const own = judged.checked.flatMap((chunk) =>
    chunk.checks.map((check, index) => ({ owner: chunk.id, index, check })),
  );
  const acceptance = judged.acceptance
    ? listAcceptanceChecks(plan.acceptance).map((check, index) => ({ owner: ACCEPTANCE_OWNER, index, check }))
    : [];
  return [...own, ...acceptance].map(({ owner, index, check }) => ({
    owner,
    index,
    desc: check.desc,
    run: check.run,
    ...(check.cwd === undefined ? {} : { cwd: check.cwd }),
    expectExit: check.expect_exit ?? 0,
  }));
}

async function loadCaptures(session: RunSession, document: string): Promise<Captures> {
  const text = await session.fleet.store.loadDocument(document);
  if (text === null) throw new Error(`the captures ${document} are not in the store`);
  return capturesSchema.parse(JSON.parse(text));
}
