import { isRunKey, readRunKey, type RunKey } from "../../contracts/ids.ts";
import { parseMarker } from "../../contracts/names.ts";
import type { Comment } from "../../github/port.ts";

/**
 * The issue's runs as our own comments tell of them, the ones a lost store knows nothing of included.
 * @param intake the name under which people are told why there is no run.
 */
export function listToldRuns(comments: readonly Comment[], issue: number, intake: RunKey): readonly RunKey[] {
  const keys = new Set<RunKey>();
  for (const { own, body } of comments) {
    const run = own ? parseMarker(body)?.run : undefined;
    if (run !== undefined && run !== intake && isRunKey(run) && readRunKey(run).issue === issue) keys.add(run);
  }
  return [...keys];
}
