/**
 * A run told fact by fact: every verb records what the shell would record, and the state is the fold
 * of it. Nothing here decides; tests ask `decide` and the messages about the state.
 *
 * Each part stands on the one before: what any run has, its plan, its chunks, and here the whole feature.
 */
import type { FloorResult } from "../../src/contracts/floor-result.ts";
import type { ReviewResult } from "../../src/contracts/review-result.ts";
import { ChunkStory } from "./chunk-story.ts";
import { fakeSha } from "./names.ts";

export class Story extends ChunkStory {
  createAccept(): this {
    const n = this.state.accepts.length + 1;
    return this.record({
      kind: "AcceptCreated",
      n,
      source: fakeSha(`source-${n}`),
      tip: this.state.integration?.tip ?? fakeSha("fork"),
      commit: fakeSha(`accept-${n}`),
      tree: fakeSha(`accept-tree-${n}`),
      branch: `taskfleet/${this.run}/candidate/aaaaaaaaaaa${n}`,
    });
  }

  floorAccept(result: FloorResult): this {
    const accept = this.state.accepts.at(-1);
    if (accept === undefined) throw new Error("nothing to accept");
    const job = this.dispatch({ role: "floor", subject: `accept-${accept.n}` });
    return this.endJob(job).record({
      kind: "FloorComputed",
      job,
      subject: { kind: "accept", n: accept.n },
      commit: accept.commit,
      result,
      document: `captures-accept-${accept.n}`,
    });
  }

  reviewAccept(result: ReviewResult): this {
    const accept = this.state.accepts.at(-1);
    if (accept === undefined) throw new Error("nothing to accept");
    const job = this.dispatch({ role: "final-review" });
    return this.endJob(job).record({
      kind: "VerdictVerified",
      job,
      subject: { kind: "accept", n: accept.n },
      commit: accept.commit,
      result,
      chunks: [],
      ledger: [],
    });
  }

  commitAccept(): this {
    const n = this.state.accepts.length;
    return this.record({
      kind: "AcceptCommitted",
      n,
      commit: fakeSha(`accepted-${n}`),
      tree: fakeSha("accepted tree"),
    });
  }
}
