import { GitHubFailure } from "../../contracts/errors.ts";
import type { Fleet } from "../context.ts";
import { beginRun } from "./begin-run.ts";
import { readIntakeHints } from "./intake-hint.ts";

/**
 * What waits at one issue. A hint that has waited may name an installation that is gone by now, where a later one
 * names the one that took its place: whichever can be reached stands for all, as it is the same repository.
 *
 * @param texts the hints, as they were kept.
 */
export async function answerHints(fleet: Fleet, issue: number, texts: readonly string[]): Promise<void> {
  const hints = readIntakeHints(texts);
  const ways = new Map(hints.map(({ repository }) => [JSON.stringify(repository), repository]));
  let unreachable: GitHubFailure | null = null;
  for (const repository of ways.values())
    try {
      for (const hint of hints) await beginRun(fleet, issue, { ...hint, repository });
      return;
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.kind !== "dormant") throw error;
      unreachable = error;
    }
  if (unreachable !== null) throw unreachable;
}
