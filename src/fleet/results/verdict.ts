import { capturesSchema } from "../../contracts/captures.ts";
import {
  ACCEPTANCE_OWNER,
  listAcceptanceChecks,
  listAcceptanceCriteria,
  listCriteria,
} from "../../contracts/criteria.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import type { ChunkId, Sha } from "../../contracts/ids.ts";
import { formatEvidenceFolder } from "../../contracts/names.ts";
import { isTestFile } from "../../contracts/test-files.ts";
import { verdictSchema, type Verdict } from "../../contracts/verdict.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import type { Fact } from "../../engine/fact.ts";
import type { JobState, RunState } from "../../engine/state.ts";
import type { Change } from "../../floor/floor-input.ts";
import type { RepositoryPort } from "../../github/port.ts";
import type { ReviewedChange } from "../../review/locate-evidence.ts";
import { classifyFindings, type LedgerEntry } from "../../review/ledger.ts";
import type { ReviewResult } from "../../contracts/review-result.ts";
import { verifyVerdict, type VerdictInput } from "../../review/verify-verdict.ts";
import type { RunSession } from "../run-session.ts";
import { NOT_EXPECTED, TREE_UNLISTED, type Untaken } from "./done-result.ts";
import { loadChanges } from "./load-changes.ts";
import { buildReviewedChange } from "./reviewed-change.ts";
import { findRow } from "../../engine/table.ts";

interface Reviewed {
  readonly subject: Extract<Fact, { kind: "VerdictVerified" }>["subject"];
  readonly commit: Sha;
  readonly base: Sha;
  readonly criteria: readonly string[];
  readonly owner: string;
  readonly descriptions: readonly string[];
  /** Captures of this very commit, whose plan checks can be test evidence. */
  readonly document: string | null;
}

/** A verdict counts as far as its quotes stand at the cited lines of the commit. */
export async function interpretVerdict(
  session: RunSession,
  job: JobState,
  text: string,
): Promise<readonly Fact[] | Untaken> {
  const { state, repository } = session;
  const reviewed = findReviewed(state, job);
  if (reviewed === null) return NOT_EXPECTED;
  const { subject, commit } = reviewed;
  const patterns = state.run.config.floor.tests.files;
  const files = await loadCited(repository, text, commit);
  const changed = await listReviewedChanges(session, reviewed);
  if (changed === null) return TREE_UNLISTED;
  const input: VerdictInput = {
    raw: text,
    job: job.job,
    commit,
    criteria: reviewed.criteria,
    checks: await listChecks(session, reviewed),
    changes: changed.changes,
    hasFile: (path) => changed.paths.has(path),
    ...(subject.kind === "accept" ? { coverage: "complete" as const } : {}),
    readFile: (path) => files.get(path) ?? null,
    isTestFile: (path) => isTestFile(path, patterns),
    chunkIds: state.chunks.keys,
  };
  const result = verifyVerdict(input);
  return [
    {
      kind: "VerdictVerified",
      job: job.job,
      subject,
      commit,
      result,
      chunks: result.outcome === "void" ? [] : result.chunks,
      ledger: await buildLedger(session, reviewed, result),
    },
  ];
}

/** How this verdict stands to those on the chunk's earlier attempts. */
async function buildLedger(
  session: RunSession,
  reviewed: Reviewed,
  result: ReviewResult,
): Promise<readonly LedgerEntry[]> {
  const { subject, commit } = reviewed;
  if (subject.kind !== "attempt" || result.outcome === "void") return [];
  const attempts = findRow(session.state.chunks, subject.chunk)?.attempts ?? [];
  const earlier = attempts.filter((attempt) => attempt.n < subject.attempt && attempt.review !== null);
  const before = earlier.at(-1);
  if (before === undefined || before.head === null) return [];
  const verdicts = earlier.flatMap((attempt) =>
    attempt.review === null ? [] : [...attempt.opinions, attempt.review].map((one) => one.result),
  );
  const paths = new Set([result, ...verdicts].flatMap(listPlaces));
  const then = await loadFiles(session.repository, [...paths], before.head);
  const now = await loadFiles(session.repository, [...paths], commit);
  const tree = attempts.find((attempt) => attempt.n === subject.attempt)?.tree ?? null;
  return classifyFindings({
    now: result,
    earlier: verdicts,
    readBefore: (path) => then.get(path) ?? null,
    readNow: (path) => now.get(path) ?? null,
    sameTree: tree !== null && tree === before.tree,
  });
}

/** Files the ledger may have to look into. */
function listPlaces(result: ReviewResult): readonly string[] {
  if (result.outcome === "void") return [];
  const places = result.criteria.flatMap((one) => [one.where ?? { check: -1 }, ...one.implementation, ...one.tests]);
  return [
    ...places.flatMap((place) => ("path" in place ? [place.path] : [])),
    ...result.findings.map((finding) => finding.where.path),
  ].slice(0, MAX_CITED);
}

function findReviewed(state: RunState, job: JobState): Reviewed | null {
  const plan = deriveActiveRevision(state)?.plan;
  if (plan === undefined) return null;
  if (job.subject.role === "review") {
    const id: ChunkId = job.subject.chunk;
    const chunk = plan.chunks.find((entry) => entry.id === id);
    const attempt = findRow(state.chunks, id)?.attempts.find((entry) => entry.n === job.attemptOf);
    if (chunk === undefined || attempt === undefined || attempt.head === null) return null;
    return {
      subject: { kind: "attempt", chunk: id, attempt: attempt.n },
      commit: attempt.head,
      base: attempt.base,
      criteria: listCriteria(chunk),
      owner: id,
      descriptions: chunk.checks.map((check) => check.desc),
      document: attempt.floor?.document ?? null,
    };
  }
  const accept = state.accepts.at(-1);
  if (accept === undefined) return null;
  return {
    subject: { kind: "accept", n: accept.n },
    commit: accept.commit,
    base: accept.source,
    criteria: listAcceptanceCriteria(plan.acceptance),
    owner: ACCEPTANCE_OWNER,
    descriptions: listAcceptanceChecks(plan.acceptance).map((check) => check.desc),
    document: accept.floor?.document ?? null,
  };
}

async function listChecks(session: RunSession, reviewed: Reviewed): Promise<VerdictInput["checks"]> {
  const text = reviewed.document === null ? null : await session.fleet.store.loadDocument(reviewed.document);
  const captures = text === null ? null : capturesSchema.parse(JSON.parse(text));
  return reviewed.descriptions.map((desc, index) => {
    const check = captures?.checks.find((entry) => entry.owner === reviewed.owner && entry.index === index);
    return {
      index,
      desc,
      passed: check !== undefined && !check.capture.timedOut && check.capture.exit === check.expectExit,
    };
  });
}

/** null where GitHub cuts the tree short: no diff, no verdict. */
async function listReviewedChanges(
  session: RunSession,
  reviewed: Reviewed,
): Promise<{ readonly changes: readonly ReviewedChange[]; readonly paths: ReadonlySet<string> } | null> {
  const { repository, state } = session;
  const evidence = formatEvidenceFolder(state.run.run);
  const { changes, treePaths } = await loadChanges(repository, reviewed.base, reviewed.commit, evidence);
  if (treePaths === null) return null;
  const patches = await loadPatches(repository, reviewed, changes);
  const listed = changes.map((change) => buildReviewedChange(change, patches.get(change.path) ?? null));
  return { changes: listed, paths: new Set(treePaths) };
}

/** GitHub's differences by path. Where all files are new, nothing can be renamed and every line is added. */
async function loadPatches(
  repository: RepositoryPort,
  reviewed: Reviewed,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, string | null>> {
  if (changes.every((change) => change.kind === "add")) return new Map();
  const { complete, files } = await repository.loadComparison(reviewed.base, reviewed.commit);
  return new Map(complete ? files.map((file) => [file.path, file.patch]) : []);
}

/** The files a verdict cites, at the commit; what cannot be read as text is not there. */
async function loadCited(repository: RepositoryPort, raw: string, commit: Sha): Promise<ReadonlyMap<string, string>> {
  const verdict = parseVerdict(raw);
  return loadFiles(repository, verdict === null ? [] : listCitedPaths(verdict), commit);
}

async function loadFiles(
  repository: RepositoryPort,
  paths: readonly string[],
  commit: Sha,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of paths) {
    try {
      const file = await repository.loadFile(path, commit);
      if (file !== null) files.set(path, file.text);
    } catch (error) {
      // A folder, a link, a huge file, a name GitHub refuses: no evidence can stand there.
      if (!(error instanceof GitHubFailure) || error.kind === "transient") throw error;
    }
  }
  return files;
}

function parseVerdict(raw: string): Verdict | null {
  try {
    const parsed = verdictSchema.safeParse(JSON.parse(raw));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A verdict that cites more files than this is not about the change. */
const MAX_CITED = 200;

function listCitedPaths(verdict: Verdict): readonly string[] {
  const paths = new Set<string>();
  for (const criterion of verdict.criteria) {
    if (criterion.result === "fail") {
      if (criterion.where !== null) paths.add(criterion.where.path);
      continue;
    }
    for (const evidence of criterion.implementation) paths.add(evidence.path);
    for (const evidence of criterion.tests) if ("path" in evidence) paths.add(evidence.path);
  }
  for (const finding of verdict.findings) paths.add(finding.where.path);
  return [...paths].slice(0, MAX_CITED);
}
