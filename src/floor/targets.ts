import type { Captures, Target } from "../contracts/captures.ts";

export function formatTargetKey(target: Target): string {
  return [target.package, target.kind, target.target].join("\0");
}

/**
 * The test targets of captures: as the enumeration command lists them, else those that the test
 * report names. Sorted, each once.
 */
export function listTargets(captures: Captures): readonly Target[] {
  const source: readonly Target[] = captures.enumeration?.targets ?? captures.tests?.report.cases ?? [];
  const byKey = new Map<string, Target>();
  for (const { package: name, kind, target } of source) {
    const entry = { package: name, kind, target };
    const key = formatTargetKey(entry);
    if (!byKey.has(key)) byKey.set(key, entry);
  }
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, target]) => target);
}
