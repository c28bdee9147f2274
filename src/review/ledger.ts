/**
 * The convergence ledger: what each finding is in the history of a chunk's reviews. The App classifies,
 * never a reviewer, who sees no history.
 */
import type { CriterionResult, FindingResult, ReviewResult } from "../contracts/review-result.ts";

/**
 * - new-latent: the code it points at stood there before, and an earlier reviewer did not mind it;
 * - introduced-by-fix: the code it points at came with this attempt;
 * - repeat: an earlier reviewer found the same;
 * - contradicted: an earlier reviewer passed this very criterion on code that has not changed.
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
  /** Whether these very lines stood in the attempt reviewed before. */
  readonly stoodBefore: (path: string, quote: string) => boolean;
}

/** Empty for a first review: there is no history yet. */
export function classifyFindings(input: LedgerInput): readonly LedgerEntry[] {
  const { now, earlier } = input;
  if (now.outcome === "void" || earlier.length === 0) return [];
  const entries: LedgerEntry[] = [];
  for (const criterion of now.criteria)
    if (criterion.result === "fail") entries.push(classifyCriterion(criterion, input));
  for (const finding of now.findings)
    if (finding.severity === "blocking") entries.push(classifyFinding(finding, input));
  return entries;
}

function classifyCriterion(criterion: CriterionResult, { earlier, stoodBefore }: LedgerInput): LedgerEntry {
  const key = `criterion:${criterion.index}`;
  const entry = (kind: LedgerClass): LedgerEntry => ({ key, title: criterion.criterion, class: kind });
  const history = earlier.flatMap((result) =>
    result.outcome === "void" ? [] : result.criteria.filter((one) => one.index === criterion.index),
  );
  if (history.some((one) => one.result === "fail")) return entry("repeat");
  const stood = criterion.where == null ? true : stoodBefore(criterion.where.path, criterion.where.quote);
  if (!stood) return entry("introduced-by-fix");
  return entry(history.at(-1)?.result === "pass" ? "contradicted" : "new-latent");
}

function classifyFinding(finding: FindingResult, { earlier, stoodBefore }: LedgerInput): LedgerEntry {
  const key = formatKey(finding);
  const entry = (kind: LedgerClass): LedgerEntry => ({ key, title: finding.title, class: kind });
  const known = earlier.some(
    (result) =>
      result.outcome !== "void" && result.findings.some((one) => formatKey(one) === key || isSamePlace(one, finding)),
  );
  if (known) return entry("repeat");
  return entry(stoodBefore(finding.where.path, finding.where.quote) ? "new-latent" : "introduced-by-fix");
}

/** Titles are a model's wording, so case, blanks and punctuation do not tell two findings apart. */
function formatKey(finding: FindingResult): string {
  const words = finding.title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return `${finding.where.path}:${words}`;
}

function isSamePlace(one: FindingResult, other: FindingResult): boolean {
  return one.severity === "blocking" && one.where.path === other.where.path && one.where.quote === other.where.quote;
}

/** A fix that brings new faults two attempts in a row does not converge. */
export function isChurning(history: ReadonlyArray<readonly LedgerEntry[]>): boolean {
  const [before, last] = history.slice(-2);
  if (before === undefined || last === undefined) return false;
  const induced = (entries: readonly LedgerEntry[]): boolean =>
    entries.some((entry) => entry.class === "introduced-by-fix");
  return induced(before) && induced(last);
}
