/** A story in words: what people would tell each other about a run. */
import type { Fact } from "../../../src/engine/fact.ts";
import { APP } from "../model/identities.ts";
import type { Happening } from "../model/happening.ts";

export function tellFact(fact: Fact): string | null {
  switch (fact.kind) {
    case "StatusUpdated":
    case "FeaturePullUpdated":
    case "CheckPublished":
    case "EffectStarted":
      return null;
    case "EffectFailed":
      return `${fact.effect} fails: ${fact.message}${fact.ambiguous ? " (it may have happened)" : ""}`;
    case "JobDispatched":
      return `${fact.job} is dispatched`;
    case "JobEnded":
      return `${fact.job} ends: ${fact.outcome}${fact.outcome === "done" ? "" : ` (${fact.cause.slice(0, 80)})`}`;
    case "FloorComputed":
      return `the floor says ${fact.result.outcome} (${fact.job})${fact.result.violations.length > 0 ? `: ${fact.result.violations[0]?.rule ?? ""}` : ""}`;
    case "VerdictVerified":
      return `the reviewer says ${fact.result.outcome} (${fact.job})`;
    case "PlanReviewed":
      return `the ${fact.lens} reviewer says ${fact.outcome}`;
    case "CommandReceived":
      return `${fact.by} commands /${fact.name} ${fact.args.slice(0, 40)}`;
    case "CommentPosted":
      return `the App comments: ${fact.key}`;
    case "ChangeSetReceived":
      return `a change set of ${fact.chunk}/${fact.attempt} arrives${fact.problems.length > 0 ? `, refused: ${fact.problems[0]?.rule ?? ""}` : ""}`;
    case "ChunksLanded":
      return `${fact.chunks.join(", ")} landed (${fact.via}) as ${fact.commit.slice(0, 8)}`;
    case "PlanCommitted":
      return `plan revision ${fact.rev} is committed`;
    case "RunEnded":
      return `the run ends: ${fact.outcome}`;
    default: {
      const { kind, ...rest } = fact;
      return `${kind} ${JSON.stringify(rest).slice(0, 160)}`;
    }
  }
}

export function tellHappening(happening: Happening): string | null {
  switch (happening.kind) {
    case "ref":
      return happening.by.login === APP.login
        ? null
        : `${happening.by.login} moves ${happening.branch} to ${happening.to?.slice(0, 8) ?? "nothing"}`;
    case "comment":
      return happening.comment.author.login === APP.login
        ? null
        : `${happening.comment.author.login} writes: ${JSON.stringify(happening.comment.timeline.now.slice(0, 60))}`;
    case "merge":
      return `${happening.by.login} merges pull request ${happening.pull.number}`;
    default:
      return null;
  }
}
