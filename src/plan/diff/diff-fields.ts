import { formatCanonicalJson } from "../../contracts/canonical-json.ts";
import type { Check, Chunk } from "../../contracts/plan.ts";
import type { CosmeticField, CriteriaField, DefinitionField } from "./plan-diff.ts";

export interface FieldChanges {
  readonly definition: readonly DefinitionField[];
  readonly criteria: readonly CriteriaField[];
  readonly cosmetic: readonly CosmeticField[];
}

/** Absent fields count as their defaults; the order of deps, files and commands means nothing. */
export function diffFields(old: Chunk, next: Chunk): FieldChanges {
  const definition: DefinitionField[] = [];
  const criteria: CriteriaField[] = [];
  const cosmetic: CosmeticField[] = [];
  if (old.brief !== next.brief) definition.push("brief");
  if (!isSameSet(old.files_touched, next.files_touched)) definition.push("files_touched");
  if (!isSameSet(old.deps ?? [], next.deps ?? [])) definition.push("deps");
  if (!isSameSet(old.checks.map(formatCommand), next.checks.map(formatCommand))) definition.push("checks");
  // Verdicts name criteria by position, so an order of its own is a change here.
  else if (!isSameList(old.checks.map(formatCheck), next.checks.map(formatCheck))) criteria.push("check descriptions");
  if ((old.requires_tests ?? false) !== (next.requires_tests ?? false)) definition.push("requires_tests");
  if (!isSameList(old.assertions ?? [], next.assertions ?? [])) criteria.push("assertions");
  if (old.title !== next.title) cosmetic.push("title");
  if (old.tier !== next.tier) cosmetic.push("tier");
  return { definition, criteria, cosmetic };
}

/** The part of a check that a machine runs. */
export function formatCommand(check: Check): string {
  return formatCanonicalJson({ run: check.run, cwd: check.cwd ?? "", expect: check.expect_exit ?? 0 });
}

function formatCheck(check: Check): string {
  return formatCanonicalJson([check.desc, formatCommand(check)]);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return isSameList([...a].sort(), [...b].sort());
}
