/** A value of a workflow or action file: literals, expressions still to be evaluated, and nesting. */
export type Template =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "expression"; readonly source: string }
  | { readonly kind: "sequence"; readonly items: readonly Template[] }
  | { readonly kind: "mapping"; readonly entries: readonly TemplateEntry[] };

export interface TemplateEntry {
  readonly key: Template;
  readonly value: Template;
}

/** The value under a literal key; null where the mapping has none or the node is no mapping. */
export function findEntry(node: Template | null, key: string): Template | null {
  if (node?.kind !== "mapping") return null;
  for (const entry of node.entries) if (entry.key.kind === "literal" && entry.key.value === key) return entry.value;
  return null;
}

/** The entries with a literal key, in file order. */
export function listEntries(node: Template | null): ReadonlyArray<readonly [key: string, value: Template]> {
  if (node?.kind !== "mapping") return [];
  return node.entries.flatMap(({ key, value }) =>
    key.kind === "literal" ? [[formatLiteral(key.value), value] as const] : [],
  );
}

/** A literal as text; null for anything else. */
export function readText(node: Template | null): string | null {
  return node?.kind === "literal" && node.value !== null ? formatLiteral(node.value) : null;
}

/** `x` and `[x, y]` alike as texts, the shorthand many keys allow (`needs`, `branches`, `types`). */
export function readTexts(node: Template | null): readonly string[] {
  if (node === null) return [];
  const items = node.kind === "sequence" ? node.items : [node];
  return items.flatMap((item) => readText(item) ?? []);
}

export function formatLiteral(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}
