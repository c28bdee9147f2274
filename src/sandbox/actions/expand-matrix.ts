import { type Value, formatValue, isMapping } from "./expressions.ts";

/** One combination of a matrix; `{}` for a job without one. */
export type MatrixEntry = Readonly<Record<string, Value>>;

/** https://docs.github.com/en/actions/reference/limits: jobs per matrix. */
const maxEntries = 256;

/**
 * Expands an evaluated `strategy.matrix`: the product of its axes, minus `exclude`, then `include`
 * merged into combinations whose original values it does not overwrite, or added as its own.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#expanding-or-adding-matrix-configurations
 * @throws when an axis is no list or there are more than 256 combinations
 */
export function expandMatrix(matrix: Value): readonly MatrixEntry[] {
  if (!isMapping(matrix)) throw new Error("The matrix is not a mapping");
  const axes = Object.entries(matrix).filter(([key]) => key !== "include" && key !== "exclude");
  let product: MatrixEntry[] = axes.length === 0 ? [] : [{}];
  for (const [axis, values] of axes) {
    if (!Array.isArray(values)) throw new Error(`Matrix vector '${axis}' is not a list`);
    const items = values as readonly Value[];
    product = product.flatMap((entry) => items.map((value) => ({ ...entry, [axis]: value })));
  }
  const excluded = listMappings(matrix["exclude"]);
  product = product.filter((entry) => !excluded.some((exclusion) => agrees(entry, exclusion, Object.keys(exclusion))));
  const merged: Array<Record<string, Value>> = product.map((entry) => ({ ...entry }));
  const added: MatrixEntry[] = [];
  for (const inclusion of listMappings(matrix["include"])) {
    const shared = axes.map(([axis]) => axis).filter((axis) => Object.hasOwn(inclusion, axis));
    const targets = merged.filter((_, index) => agrees(product[index] ?? {}, inclusion, shared));
    if (targets.length === 0) added.push(inclusion);
    for (const target of targets) Object.assign(target, inclusion);
  }
  const entries = [...merged, ...added];
  if (entries.length === 0) throw new Error("Matrix must define at least one vector");
  if (entries.length > maxEntries)
    throw new Error(`A matrix has at most ${maxEntries} jobs, this one has ${entries.length}`);
  return entries;
}

/** The suffix of a matrix job's default name: ` (18, linux)`, empty without a matrix. */
export function formatMatrixSuffix(entry: MatrixEntry): string {
  const values = Object.values(entry).map(formatValue);
  return values.length === 0 ? "" : ` (${values.join(", ")})`;
}

function agrees(entry: MatrixEntry, other: MatrixEntry, keys: readonly string[]): boolean {
  return keys.every((key) => JSON.stringify(entry[key] ?? null) === JSON.stringify(other[key] ?? null));
}

function listMappings(value: Value | undefined): readonly MatrixEntry[] {
  return Array.isArray(value) ? (value as readonly Value[]).filter(isMapping) : [];
}
