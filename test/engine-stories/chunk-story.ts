import type { FloorResult, Violation } from "../../src/contracts/floor-result.ts";
import type { ChunkId } from "../../src/contracts/ids.ts";
import type { ReviewResult } from "../../src/contracts/review-result.ts";
import { deriveNextJob } from "../../src/engine/derive/jobs.ts";
import { derivePurpose } from "../../src/engine/derive/purpose.ts";
import type { AttemptState } from "../../src/engine/state.ts";
import { findRow } from "../../src/engine/table.ts";
import type { LedgerEntry } from "../../src/review/ledger.ts";
import { fakeSha } from "./names.ts";
import { PlanStory } from "./plan-story.ts";
import { URL } from "./recorded-run.ts";

/** A run as far as its chunks: from the start of an attempt to its landing. */
export class ChunkStory extends PlanStory {
  start(id: ChunkId): this {
    const entry = findRow(this.state.chunks, id);
    const { job, subject } = deriveNextJob(this.state, { role: "implement", chunk: id });
    const n = (entry?.attempts.length ?? 0) + 1;
    const runId = 5000 + this.facts.length;
    return this.record({
      kind: "JobDispatched",
      effect: `job:${job}`,
      job,
      subject,
      runId,
      url: `${URL}/actions/runs/${runId}`,
      attempt: {
        chunk: id,
        n,
        planRev: this.state.approved?.rev ?? 1,
        agent: entry?.agent ?? "default",
        model: "model-1",
        tier: "code",
        base: this.state.integration?.tip ?? fakeSha("fork"),
      },
      attemptOf: n,
      purpose: derivePurpose(this.state, subject),
    });
  }

  attemptOf(id: ChunkId): AttemptState {
    const attempt = findRow(this.state.chunks, id)?.attempts.at(-1);
    if (attempt === undefined) throw new Error(`${id} was never started`);
    return attempt;
  }

  receive(id: ChunkId, problems: readonly Violation[] = [], summary = `Wrote ${id}.`): this {
    const { job, n } = this.attemptOf(id);
    return this.endJob(job).record({
      kind: "ChangeSetReceived",
      job,
      chunk: id,
      attempt: n,
      document: `changes-${id}-${n}`,
      files: [
        { path: `src/${id}.js`, kind: "write" },
        { path: `test/${id}.test.js`, kind: "write" },
      ],
      problems,
      summary,
      context: null,
    });
  }

  commit(id: ChunkId): this {
    const { n } = this.attemptOf(id);
    this.record({
      kind: "ChangeSetCommitted",
      chunk: id,
      attempt: n,
      head: fakeSha(`${id}-${n}`),
      tree: fakeSha(`tree-${id}-${n}`),
    });
    const open = findRow(this.state.chunks, id)?.pulls.some((pull) => pull.settled === null) ?? false;
    if (open) return this;
    const number = this.nextNumber();
    return this.record({
      kind: "ChunkPullOpened",
      effect: `pull:${id}`,
      chunk: id,
      number,
      url: `${URL}/pull/${number}`,
    });
  }

  floor(id: ChunkId, result: FloorResult): this {
    const { n, head } = this.attemptOf(id);
    if (head === null) throw new Error(`${id} has no commit`);
    const job = this.dispatch({ role: "floor", subject: `chunk-${id}` }, n);
    this.endJob(job).record({
      kind: "FloorComputed",
      job,
      subject: { kind: "attempt", chunk: id, attempt: n },
      commit: head,
      result,
      document: `captures-${id}-${n}`,
    });
    return this.publish(`${this.run}:floor:${id}:${n}`, job);
  }

  review(id: ChunkId, result: ReviewResult, ledger: readonly LedgerEntry[] = []): this {
    const { n, head } = this.attemptOf(id);
    if (head === null) throw new Error(`${id} has no commit`);
    const job = this.dispatch({ role: "review", chunk: id }, n);
    this.endJob(job).record({
      kind: "VerdictVerified",
      job,
      subject: { kind: "attempt", chunk: id, attempt: n },
      commit: head,
      result,
      chunks: [],
      ledger,
    });
    if (result.outcome === "void") return this;
    const pull = findRow(this.state.chunks, id)?.pulls.at(-1)?.number ?? 0;
    return this.publish(`${this.run}:review:${id}:${n}`, job).record({
      kind: "ReviewPosted",
      effect: `review:${id}:${n}`,
      key: `${id}:${n}`,
      id: this.facts.length,
      url: `${URL}/pull/${pull}#pullrequestreview-${this.facts.length}`,
    });
  }

  land(...ids: readonly ChunkId[]): this {
    const label = ids.map((id) => `${id}-${this.attemptOf(id).n}`).join("+");
    this.record({
      kind: "ChunksLanded",
      chunks: ids,
      commit: fakeSha(`landing-${label}`),
      tree: fakeSha(`tree-${label}`),
      document: `captures-${label}`,
      via: ids.length === 1 ? "direct" : "candidate",
    });
    for (const id of ids) {
      const pull = findRow(this.state.chunks, id)?.pulls.at(-1);
      if (pull !== undefined) this.record({ kind: "PullSettled", number: pull.number, outcome: "merged" });
    }
    return this;
  }
}
