import type { Captures, Target } from "../contracts/captures.ts";

export function formatTargetKey(target: Target): string {
  return `${target.package}\0${target.kind}\0${target.target}`;
}

/**
 * The test targets of captures: as the enumeration command lists them, else those that the test
 * report names. Sorted, each once.
 */
export function listTargets(captures: Captures): readonly Target[] {
  const byKey = new Map<string, Target>();
  for (const { package: name, kind, target } of captures.enumeration?.targets ?? captures.tests?.report.cases ?? []) {
    const key = formatTargetKey({ package: name, kind, target });
    if (!byKey.has(key)) byKey.set(key, { package: name, kind, target });
  }
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, target]) => target);
}
