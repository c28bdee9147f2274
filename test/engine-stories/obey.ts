/** What the shell would record for an action, and what a job brings when it ends. */
import type { Action } from "../../src/engine/action.ts";
import { derivePullRevision } from "../../src/engine/derive/surfaces.ts";
import type { Fact } from "../../src/engine/fact.ts";
import type { JobState, RunState } from "../../src/engine/state.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import { formatJobId } from "../../src/contracts/names.ts";
import { fakeSha } from "./names.ts";
import { buildChunk } from "./plans.ts";
import { OUT_OF_SCOPE } from "./results.ts";
import type { Story } from "./story.ts";
import type { World } from "./world.ts";
import { findRow } from "../../src/engine/table.ts";

/** The facts of an action that was carried out. */
export function answerAction(story: Story, world: World, action: Action): readonly Fact[] {
  const { state, now } = story;
  const effect = action.key;
  const url = `https://github.com/octo/tally/${effect}`;
  switch (action.kind) {
    case "CreateIntegration":
      return [{ kind: "IntegrationCreated", commit: fakeSha("intake"), intentBlob: fakeSha("intent") }];
    case "DispatchJob": {
      const { job, subject, attempt, attemptOf, purpose } = action.dispatch;
      return [{ kind: "JobDispatched", effect, job, subject, runId: 1, url, attempt, attemptOf, purpose }];
    }
    case "CancelJob":
      return [
        {
          kind: "JobEnded",
          job: action.job,
          outcome: "cancelled",
          cause: action.reason,
          usage: null,
          runId: null,
          url: null,
        },
      ];
    case "ReadGivenPlan": {
      const draft = world.draft(1, 1);
      const job = formatJobId(state.run.run, { role: "plan", n: 0 });
      if ("questions" in draft) throw new Error("a person's plan asks nothing");
      return "refused" in draft
        ? [{ kind: "DraftRefused", job, text: "{}", problems: [draft.refused] }]
        : [{ kind: "DraftReceived", job, draft, warnings: [] }];
    }
    case "CommitPlan":
      return buildPlanFacts(story);
    case "OpenFeaturePull": {
      const number = story.nextNumber();
      return [{ kind: "FeaturePullOpened", effect, number, nodeId: `PR_${number}`, url }];
    }
    case "UpdateFeaturePull":
      return [{ kind: "FeaturePullUpdated", revision: derivePullRevision(state, now) }];
    case "ApprovePlan":
      return [{ kind: "PlanApproved", rev: action.rev, hash: action.hash, by: "policy", why: action.why }];
    case "CommitChangeSet": {
      const label = `${action.chunk}-${action.attempt}-${state.approved?.rev ?? 0}`;
      return [
        {
          kind: "ChangeSetCommitted",
          chunk: action.chunk,
          attempt: action.attempt,
          head: fakeSha(`head ${label}`),
          tree: fakeSha(`tree ${label}`),
        },
      ];
    }
    case "OpenChunkPull":
      return [{ kind: "ChunkPullOpened", effect, chunk: action.chunk, number: story.nextNumber(), url }];
    case "PublishCheck":
      return [
        {
          kind: "CheckPublished",
          effect,
          externalId: action.externalId,
          id: findRow(state.checks, action.externalId)?.id ?? story.facts.length,
          url,
          revision: action.revision,
        },
      ];
    case "DismissReview":
      return [{ kind: "ReviewDismissed", key: action.key }];
    case "PostReview":
      return [{ kind: "ReviewPosted", effect, key: `${action.chunk}:${action.attempt}`, id: story.facts.length, url }];
    case "CreateCandidate": {
      const conflicts = action.chunks.flatMap((chunk): Fact[] => {
        const n = findRow(state.chunks, chunk)?.attempts.at(-1)?.n ?? 0;
        return world.conflicts(chunk, n)
          ? [{ kind: "ChunkConflicted", chunk, attempt: n, paths: [`src/${chunk}.js`] }]
          : [];
      });
      if (conflicts.length > 0) return conflicts;
      return [
        {
          kind: "CandidateCreated",
          hash: action.hash,
          commit: fakeSha(`candidate ${action.hash}`),
          tree: fakeSha(`candidate tree ${action.hash}`),
          base: action.tip,
          chunks: action.chunks,
        },
      ];
    }
    case "LandChunks":
      return [
        {
          kind: "ChunksLanded",
          chunks: action.chunks,
          commit: fakeSha(`landing ${action.verified} on ${action.tip}`),
          tree: fakeSha(`tree of ${action.verified}`),
          document: action.document,
          via: action.via,
        },
      ];
    case "CreateAccept":
      return [
        {
          kind: "AcceptCreated",
          n: action.n,
          source: fakeSha(`source ${action.n}`),
          tip: action.tip,
          commit: fakeSha(`accept ${action.n}`),
          tree: fakeSha(`accept tree ${action.n}`),
          branch: `taskfleet/${story.run}/candidate/${fakeSha(`accept ${action.n}`).slice(0, 12)}`,
        },
      ];
    case "CommitAccept":
      return [
        {
          kind: "AcceptCommitted",
          n: action.n,
          commit: fakeSha(`accepted ${action.n}`),
          tree: fakeSha("accepted tree"),
        },
      ];
    case "RequestFix":
      return [{ kind: "FixRequested", n: action.n, how: action.how, text: action.text }];
    case "PrepareTake":
      return [{ kind: "TakePrepared", chunk: action.chunk, base: action.base, n: action.n }];
    case "RestoreBranch":
      return [{ kind: "BranchRestored", branch: action.branch, n: action.n }];
    case "CancelRun":
      return [{ kind: "RunCancelled", why: action.why }];
    case "MarkReady":
      return [{ kind: "FeatureReady", effect }];
    case "MergeFeature":
      return world.sourceMoves(action.n)
        ? [{ kind: "SourceMoved", n: action.n, sha: fakeSha(`moved ${action.n}`) }]
        : [{ kind: "FeatureMerged", commit: action.commit, how: "fast-forward", verified: true }];
    case "PostComment":
      return [{ kind: "CommentPosted", effect, key: action.marker, id: story.nextComment(), url }];
    case "RefreshStatus":
      return [{ kind: "StatusUpdated", hash: `${state.shown}`, shown: state.shown }];
    case "ClosePull":
      return [{ kind: "PullClosed", effect, number: action.number }];
    case "DeleteBranch":
      return [{ kind: "BranchDeleted", branch: action.branch }];
    case "CloseIssue":
      return [{ kind: "IssueClosed" }];
    case "EndRun":
      return [{ kind: "RunEnded", outcome: action.outcome }];
  }
}

function buildPlanFacts(story: Story): readonly Fact[] {
  const draft = story.state.planning.drafts.at(-1)?.draft;
  if (draft === null || draft === undefined) throw new Error("a plan is committed only after its draft");
  return [story.buildPlanCommitted(draft)];
}

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
