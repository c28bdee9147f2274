import { UserError } from "../../contracts/errors.ts";
import type { RecordedFact } from "../../engine/fact.ts";
import { readFact } from "../../fleet/run-session.ts";
import type { ReadingStore } from "../../store/open-for-reading.ts";
import type { RunRecord } from "../../store/port.ts";
import { isKnownKind } from "./fact-origin.ts";

/** @throws UserError for a run without facts, or with facts that this version cannot read. */
export async function loadRunFacts(
  store: Pick<ReadingStore, "loadFacts">,
  run: RunRecord,
): Promise<readonly [RecordedFact, ...RecordedFact[]]> {
  const [first, ...others] = (await store.loadFacts(run)).map((stored) => {
    try {
      const recorded = readFact(stored);
      if (isKnownKind(recorded.fact)) return recorded;
    } catch {
      // Said below.
    }
    throw new UserError(
      `Run ${run.runKey}: fact ${stored.seq} cannot be read by this version of Taskfleet: ask the App's own.`,
    );
  });
  if (first === undefined) throw new UserError(`Run ${run.runKey} has no facts.`);
  return [first, ...others];
}
