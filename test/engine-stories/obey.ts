import type { Action } from "../../src/engine/action.ts";
import { derivePullRevision } from "../../src/engine/derive/surfaces.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { formatJobId } from "../../src/contracts/names.ts";
import { fakeSha } from "./names.ts";
import type { Story } from "./story.ts";
import type { World } from "./world.ts";
import { findRow } from "../../src/engine/table.ts";

/** What the shell would record for an action that was carried out. */
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
      // One in doubt: GitHub shows no run of it.
      if (findRow(state.jobs, action.job) === undefined) return [{ kind: "EffectEnded", effect: `job:${action.job}` }];
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
      return [{ kind: "ReviewDismissed", key: action.review }];
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
