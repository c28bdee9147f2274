/** Keys of the due queue, as parse/format pairs. */
import { isRunKey } from "../../contracts/ids.ts";
import type { RunAddress } from "../../store/port.ts";

export type DueKey =
  | { readonly kind: "intake"; readonly repositoryId: number; readonly issue: number }
  | { readonly kind: "run"; readonly address: RunAddress };

export function formatDueKey(key: DueKey): string {
  switch (key.kind) {
    case "intake":
      return `intake:${key.repositoryId}:${key.issue}`;
    case "run":
      return `run:${key.address.repositoryId}:${key.address.runKey}`;
  }
}

export function parseDueKey(text: string): DueKey | null {
  const match = /^(intake|run):([0-9]+):(.+)$/u.exec(text);
  const rest = match?.[3];
  if (match === null || rest === undefined) return null;
  const repositoryId = Number(match[2]);
  if (match[1] === "intake")
    return /^[0-9]+$/u.test(rest) ? { kind: "intake", repositoryId, issue: Number(rest) } : null;
  return isRunKey(rest) ? { kind: "run", address: { repositoryId, runKey: rest } } : null;
}
