/** What is booked of one chunk. */
import type { Fact } from "../../../src/engine/fact.ts";

export interface ChunkBook {
  readonly id: string;
  /** alive = may still land; unknown = a person or a new revision changed its fate. */
  work: "none" | "alive" | "dead" | "unknown";
  landed: boolean;
  skipped: boolean;
  taken: boolean;
  floorFails: number;
  reviewFails: number;
  unusable: number;
  integrationFails: number;
  /** What the newest attempt failed; overruled, it is no failure. */
  failed: "floorFails" | "reviewFails" | "integrationFails" | null;
  /** Of the newest attempt: reviews that said nothing, and floors and reviews that came to no end. */
  voids: number;
  lost: number;
  /** Attempts in a row, up to the newest, that an outage ended. */
  outages: number;
  /** A person stopped it, or failures are counted by rules of their own from here on. */
  personal: boolean;
  attempts: number;
  /** A revision may have left it as it was, with the failures it had: the engine counts those on. */
  revised: boolean;
}

export function openChunkBook(id: string): ChunkBook {
  return {
    id,
    work: "none",
    landed: false,
    skipped: false,
    taken: false,
    floorFails: 0,
    reviewFails: 0,
    unusable: 0,
    integrationFails: 0,
    failed: null,
    voids: 0,
    lost: 0,
    outages: 0,
    personal: false,
    attempts: 0,
    revised: false,
  };
}

export function fail(book: ChunkBook, what: NonNullable<ChunkBook["failed"]>): void {
  book[what] += 1;
  book.failed = what;
  book.work = "dead";
}

export function resetTries(book: ChunkBook): void {
  book.floorFails = 0;
  book.reviewFails = 0;
  book.unusable = 0;
  book.integrationFails = 0;
  book.voids = 0;
  book.lost = 0;
  book.outages = 0;
}

/** Three jobs without a result are a person's business. So is one that only a person helps, and none that waits. */
export function weighLoss({ remedy }: Extract<Fact, { kind: "JobEnded" }>): number {
  switch (remedy?.kind) {
    case "person":
      return 3;
    case "wait":
      return 0;
    case undefined:
      return 1;
  }
}
