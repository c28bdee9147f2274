import type { TrackerPort } from "../../github/tracker-port.ts";

/** Thrown instead of the write that is one too many. */
export class EnoughWritten extends Error {}

/** The same tracker, for so many writes. */
export function limitWrites(tracker: TrackerPort, most: number): TrackerPort {
  let writes = 0;
  const count = (): void => {
    if (writes === most) throw new EnoughWritten();
    writes += 1;
  };
  return {
    ...tracker,
    createSubIssue: async (...given) => {
      count();
      return tracker.createSubIssue(...given);
    },
    attachSubIssue: async (...given) => {
      count();
      return tracker.attachSubIssue(...given);
    },
    updateSubIssue: async (...given) => {
      count();
      return tracker.updateSubIssue(...given);
    },
    addBlocker: async (...given) => {
      count();
      return tracker.addBlocker(...given);
    },
    removeBlocker: async (...given) => {
      count();
      return tracker.removeBlocker(...given);
    },
  };
}
