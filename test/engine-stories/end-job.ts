import type { JobState, RunState } from "../../src/engine/state.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import { buildChunk } from "./plans.ts";
import { OUT_OF_SCOPE } from "./results.ts";
import type { Story } from "./story.ts";
import type { World } from "./world.ts";
import { findRow } from "../../src/engine/table.ts";

/** A workflow run ends: what the shell records of its result. */
export function endJob(story: Story, world: World, job: JobState): void {
  const { state } = story;
  const { subject } = job;
  const lost = (): void => void story.endJob(job.job, "lost", "the workflow run ended without a result");
  switch (subject.role) {
    case "baseline":
      story.endJob(job.job).record(story.buildBaselineBound(job.job));
      return;
    case "plan": {
      const draft = world.draft(state.planning.n, state.planning.drafts.length + 1);
      story.endJob(job.job);
      if ("questions" in draft) story.record({ kind: "QuestionsAsked", job: job.job, questions: draft.questions });
      else if ("refused" in draft)
        story.record({ kind: "DraftRefused", job: job.job, text: "{}", problems: [draft.refused] });
      else story.record({ kind: "DraftReceived", job: job.job, draft, warnings: [] });
      return;
    }
    case "plan-review": {
      const findings = world.planFindings(subject.lens, state.planning.drafts.length);
      const outcome = findings.some((finding) => finding.severity === "blocking") ? "fail" : "pass";
      story.endJob(job.job);
      story.record({ kind: "PlanReviewed", job: job.job, lens: subject.lens, outcome, findings, summary: "" });
      return;
    }
    case "implement": {
      const chunk = subject.chunk;
      const attempt = job.attemptOf ?? 0;
      const outcome = world.implement(chunk, attempt);
      if (outcome === "unusable" || outcome === "external" || outcome === "lost") {
        story.endJob(job.job, outcome, `${outcome} in attempt ${attempt}`);
        return;
      }
      story.endJob(job.job).record({
        kind: "ChangeSetReceived",
        job: job.job,
        chunk,
        attempt,
        document: `changes ${chunk} ${attempt}`,
        files: [{ path: `src/${chunk}.js`, kind: "write" }],
        problems: outcome === "refused" ? [OUT_OF_SCOPE] : [],
        summary: "",
        context: null,
      });
      return;
    }
    case "floor":
      endFloor(story, world, job, subject.subject, lost);
      return;
    case "review": {
      const attempt = findRow(state.chunks, subject.chunk)?.attempts.find((entry) => entry.n === job.attemptOf);
      const chunk = findChunk(state, subject.chunk);
      const result = world.review(chunk, job.attemptOf ?? 0);
      if (result === "lost" || attempt === undefined || attempt.head === null) {
        lost();
        return;
      }
      story.endJob(job.job).record({
        kind: "VerdictVerified",
        job: job.job,
        subject: { kind: "attempt", chunk: subject.chunk, attempt: attempt.n },
        commit: attempt.head,
        result,
        chunks: [],
        ledger: [],
      });
      return;
    }
    case "final-review": {
      const accept = state.accepts.at(-1);
      const result = accept === undefined ? "lost" : world.finalReview(accept.n, buildChunk("whole"));
      if (result === "lost" || accept === undefined) {
        lost();
        return;
      }
      story.endJob(job.job).record({
        kind: "VerdictVerified",
        job: job.job,
        subject: { kind: "accept", n: accept.n },
        commit: accept.commit,
        result,
        chunks: [],
        ledger: [],
      });
    }
  }
}

function endFloor(story: Story, world: World, job: JobState, subject: string, lost: () => void): void {
  const { state } = story;
  const document = `captures ${job.job}`;
  if (subject.startsWith("accept-")) {
    const accept = state.accepts.at(-1);
    const result = accept === undefined ? "lost" : world.acceptFloor(accept.n);
    if (accept === undefined || result === "lost") return lost();
    story.endJob(job.job);
    story.record({
      kind: "FloorComputed",
      job: job.job,
      subject: { kind: "accept", n: accept.n },
      commit: accept.commit,
      result,
      document,
    });
    return;
  }
  if (subject.startsWith("candidate-")) {
    const candidate = state.candidates.rows.find((entry) => `candidate-${entry.hash}` === subject);
    const result = candidate === undefined ? "lost" : world.candidate(candidate.chunks);
    if (candidate === undefined || result === "lost") return lost();
    const { hash, commit } = candidate;
    story.endJob(job.job);
    story.record({
      kind: "FloorComputed",
      job: job.job,
      subject: { kind: "candidate", hash },
      commit,
      result,
      document,
    });
    return;
  }
  const chunk = state.chunks.rows.find((entry) => `chunk-${entry.id}` === subject);
  const attempt = chunk?.attempts.find((entry) => entry.n === job.attemptOf);
  const result = chunk === undefined ? "lost" : world.floor(chunk.id, job.attemptOf ?? 0);
  if (chunk === undefined || attempt === undefined || attempt.head === null || result === "lost") return lost();
  story.endJob(job.job).record({
    kind: "FloorComputed",
    job: job.job,
    subject: { kind: "attempt", chunk: chunk.id, attempt: attempt.n },
    commit: attempt.head,
    result,
    document,
  });
}

function findChunk(state: RunState, id: string): Chunk {
  const chunk = state.revisions.at(-1)?.plan.chunks.find((entry) => entry.id === id);
  return chunk ?? buildChunk(id);
}
