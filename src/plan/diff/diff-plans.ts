import { formatCanonicalJson } from "../../contracts/canonical-json.ts";
import type { AcceptanceItem, Plan } from "../../contracts/plan.ts";
import { buildGraph } from "../graph/build-graph.ts";
import { ancestors, descendants } from "../graph/descendants.ts";
import { diffFields } from "./diff-fields.ts";
import type { ChunkChange, CosmeticField, CriteriaField, PlanDiff } from "./plan-diff.ts";

/**
 * What the revision `next` means for each chunk of `old`. Both are valid plans.
 * @param landed ids of chunks that have landed
 */
export function diffPlans(old: Plan, next: Plan, landed: Iterable<string> = []): PlanDiff {
  const before = new Map(old.chunks.map((chunk) => [chunk.id, chunk]));
  const after = new Set(next.chunks.map((chunk) => chunk.id));
  const isLanded = new Set(landed);
  const fieldsOf = new Map(
    next.chunks.flatMap((chunk) => {
      const previous = before.get(chunk.id);
      return previous === undefined ? [] : [[chunk.id, diffFields(previous, chunk)] as const];
    }),
  );
  const redefined = new Set(next.chunks.map(({ id }) => id).filter((id) => fieldsOf.get(id)?.definition.length));
  const graph = buildGraph(next.chunks);
  const below = descendants(graph, ...redefined);

  const changes = next.chunks.map((chunk): ChunkChange => {
    const { id } = chunk;
    const previous = before.get(id);
    const fields = fieldsOf.get(id);
    if (previous === undefined || fields === undefined) return { kind: "added", id, next: chunk };
    const common = { id, old: previous, next: chunk, landed: isLanded.has(id) };
    const soft: readonly (CriteriaField | CosmeticField)[] = [...fields.criteria, ...fields.cosmetic];
    if (fields.definition.length > 0) return { kind: "redefined", ...common, fields: [...fields.definition, ...soft] };
    if (below.has(id)) {
      const above = ancestors(graph, id);
      return { kind: "downstream", ...common, of: [...redefined].filter((other) => above.has(other)) };
    }
    if (fields.criteria.length > 0) return { kind: "criteria", ...common, fields: soft };
    if (fields.cosmetic.length > 0) return { kind: "cosmetic", ...common, fields: fields.cosmetic };
    return { kind: "unchanged", ...common };
  });
  const removed = old.chunks
    .filter(({ id }) => !after.has(id))
    .map((chunk): ChunkChange => ({ kind: "removed", id: chunk.id, old: chunk, landed: isLanded.has(chunk.id) }));

  return {
    from: old.plan_rev,
    to: next.plan_rev,
    intent: old.intent_rev === next.intent_rev ? null : { from: old.intent_rev, to: next.intent_rev },
    chunks: [...changes, ...removed],
    acceptance: {
      added: subtract(next.acceptance, old.acceptance),
      removed: subtract(old.acceptance, next.acceptance),
    },
    frame: [
      ...listChanged("feature", old.feature, next.feature),
      ...listChanged("baseline", old.baseline, next.baseline),
    ],
  };
}

function subtract(items: readonly AcceptanceItem[], others: readonly AcceptanceItem[]): readonly AcceptanceItem[] {
  const known = new Set(others.map(formatItem));
  return items.filter((item) => !known.has(formatItem(item)));
}

function formatItem(item: AcceptanceItem): string {
  return formatCanonicalJson(item.kind === "check" ? { ...item, expect_exit: item.expect_exit ?? 0 } : item);
}

function listChanged<T extends object>(name: string, old: T, next: T): readonly string[] {
  return (Object.keys(old) as (keyof T & string)[])
    .filter((key) => old[key] !== next[key])
    .map((key) => `${name}.${key}`);
}
