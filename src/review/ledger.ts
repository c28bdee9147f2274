/**
 * The convergence ledger: what each finding is in the history of a chunk's reviews. The App classifies,
 * never a reviewer, who sees no history.
 */
import type { CriterionResult, FindingResult, ReviewResult, VerifiedEvidence } from "../contracts/review-result.ts";
import { splitLines } from "./locate-evidence.ts";

/**
 * - new-latent: the code it points at stood there before, and an earlier reviewer did not mind it;
 * - introduced-by-fix: the code it points at came with this attempt, or what proved the criterion went;
 * - repeat: an earlier reviewer found the same;
 * - contradicted: two reviewers judged the same code, and one passed what the other failed.
 */
export type LedgerClass = "new-latent" | "introduced-by-fix" | "repeat" | "contradicted";

export interface LedgerEntry {
  /** `criterion:<n>`, or the finding's path and title. */
  readonly key: string;
  readonly title: string;
  readonly class: LedgerClass;
}

export interface LedgerInput {
  readonly now: ReviewResult;
  /** Believable verdicts on earlier attempts of the same chunk, oldest first. */
  readonly earlier: readonly ReviewResult[];
  /** A file of the attempt reviewed before, or null. */
  readonly readBefore: (path: string) => string | null;
  /** A file of the attempt under review, or null. */
  readonly readNow: (path: string) => string | null;
  /** Whether both attempts are the very same tree: whoever judges otherwise contradicts. */
  readonly sameTree: boolean;
}

type Judged = Extract<ReviewResult, { outcome: "pass" | "fail" }>;

/** Empty for a first review: there is no history yet. */
export function classifyFindings(input: LedgerInput): readonly LedgerEntry[] {
  const { now } = input;
  const earlier = input.earlier.flatMap((result): Judged[] => (result.outcome === "void" ? [] : [result]));
  if (now.outcome === "void" || earlier.length === 0) return [];
  const entries: LedgerEntry[] = [];
  for (const criterion of now.criteria)
    if (criterion.result === "fail") entries.push(classifyCriterion(criterion, earlier, input));
  for (const finding of now.findings)
    if (finding.severity === "blocking") entries.push(classifyFinding(finding, earlier, input));
  return input.sameTree ? [...entries, ...listWithdrawn(now, earlier)] : entries;
}

function classifyCriterion(criterion: CriterionResult, earlier: readonly Judged[], input: LedgerInput): LedgerEntry {
  const entry = (kind: LedgerClass): LedgerEntry => ({
    key: formatCriterionKey(criterion),
    title: criterion.criterion,
    class: kind,
  });
  const history = findHistory(criterion, earlier);
  if (history.some((one) => one.result === "fail")) return entry("repeat");
  const passed = history.at(-1);
  const where = criterion.where ?? null;
  if (where !== null && !standsIn(where, input.readBefore)) return entry("introduced-by-fix");
  if (passed === undefined) return entry("new-latent");
  // What is missing is nowhere: it was lost with this attempt, or the proof of it still stands.
  const proof = [...passed.implementation, ...passed.tests.flatMap((test) => ("path" in test ? [test] : []))];
  if (where === null && !proof.every((one) => standsIn(one, input.readNow))) return entry("introduced-by-fix");
  return entry("contradicted");
}

function classifyFinding(finding: FindingResult, earlier: readonly Judged[], input: LedgerInput): LedgerEntry {
  const entry = (kind: LedgerClass): LedgerEntry => ({
    key: formatFindingKey(finding),
    title: finding.title,
    class: kind,
  });
  if (earlier.some((result) => result.findings.some((one) => isSame(one, finding)))) return entry("repeat");
  return entry(standsIn(finding.where, input.readBefore) ? "new-latent" : "introduced-by-fix");
}

/** What the reviewer before found wanting and this one does not, on the very same tree. */
function listWithdrawn(now: Judged, earlier: readonly Judged[]): readonly LedgerEntry[] {
  const before = earlier.at(-1);
  if (before === undefined) return [];
  const criteria = now.criteria.filter(
    (one) => one.result === "pass" && findHistory(one, [before]).some((other) => other.result === "fail"),
  );
  const findings = before.findings.filter(
    (one) => one.severity === "blocking" && !now.findings.some((other) => isSame(one, other)),
  );
  return [
    ...criteria.map((one) => ({ key: formatCriterionKey(one), title: one.criterion, class: "contradicted" as const })),
    ...findings.map((one) => ({ key: formatFindingKey(one), title: one.title, class: "contradicted" as const })),
  ];
}

/** Results for the same words: a plan revision may have numbered the criteria anew. */
function findHistory(criterion: CriterionResult, earlier: readonly Judged[]): readonly CriterionResult[] {
  return earlier.flatMap((result) => result.criteria.filter((one) => one.criterion === criterion.criterion));
}

function formatCriterionKey(criterion: CriterionResult): string {
  return `criterion:${criterion.index}`;
}

/** Titles are a model's wording, so case, blanks and punctuation do not tell two findings apart. */
function formatFindingKey(finding: FindingResult): string {
  const words = finding.title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return `${finding.where.path}:${words}`;
}

function isSame(one: FindingResult, other: FindingResult): boolean {
  if (formatFindingKey(one) === formatFindingKey(other)) return true;
  return one.severity === "blocking" && one.where.path === other.where.path && one.where.quote === other.where.quote;
}

/** Wherever in the file: lines above may have come or gone. */
function standsIn({ path, quote }: VerifiedEvidence, read: (path: string) => string | null): boolean {
  const text = read(path);
  if (text === null) return false;
  const lines = splitLines(text);
  const wanted = splitLines(quote);
  return lines.some((_, index) => wanted.every((line, offset) => lines[index + offset] === line));
}

/** One judged attempt that failed. */
export interface FailedAttempt {
  readonly ledger: readonly LedgerEntry[];
  /** It failed the floor that the attempt before had passed: what it mended broke something else. */
  readonly brokeFloor: boolean;
}

/** A fix that brings new faults two attempts in a row does not converge. */
export function isChurning(history: readonly FailedAttempt[]): boolean {
  const last = history.slice(-2);
  return last.length === 2 && last.every(isInduced);
}

function isInduced({ ledger, brokeFloor }: FailedAttempt): boolean {
  return brokeFloor || ledger.some((entry) => entry.class === "introduced-by-fix");
}
