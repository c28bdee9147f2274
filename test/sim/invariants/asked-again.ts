/** I9: who has answered, and is needed once more, is asked once more; what a person pushes is judged. */
import { parseMarker } from "../../../src/contracts/names.ts";
import { deriveNeeds } from "../../../src/engine/derive/needs.ts";
import type { RecordedFact } from "../../../src/engine/fact.ts";
import { foldAll } from "../../../src/engine/fold.ts";
import type { RunState } from "../../../src/engine/state.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP } from "../model/identities.ts";
import type { Invariant, Watch } from "./invariant.ts";
import type { Ledger } from "./ledger.ts";

/** @returns about what nobody is asked again in a run that has not ended, or null. */
export function findForgotten(model: GitHubModel, facts: readonly RecordedFact[], ledger: Ledger): string | null {
  const state = facts.length === 0 ? null : foldAll(facts);
  if (state === null || state.ended !== null || ledger.isOver) return null;
  return findUnasked(model, facts, state);
}

/** A question that stands from before somebody's `/retry` is answered: nobody knows that it is asked again. */
function findUnasked(model: GitHubModel, facts: readonly RecordedFact[], state: RunState): string | null {
  for (const need of deriveNeeds(state, model.time.now())) {
    if (need.kind !== "escalation" && need.kind !== "landing") continue;
    const chunks: readonly string[] = need.kind === "landing" ? need.chunks : [need.escalation.chunk];
    const retried = facts.findLast(
      ({ fact }) =>
        fact.kind === "CommandReceived" &&
        fact.name === "retry" &&
        chunks.includes(fact.args.trim().split(/\s+/u)[0] ?? ""),
    );
    if (retried === undefined) continue;
    const asked = [...model.comments.values()].some(
      (comment) =>
        comment.author.login === APP.login &&
        comment.createdAt >= retried.at &&
        chunks.some((chunk) => parseMarker(comment.timeline.now)?.key.startsWith(formatPrefix(need.kind, chunk))),
    );
    if (!asked) return `nobody was told that ${chunks.join(", ")} needs them again after their /retry`;
  }
  return null;
}

function formatPrefix(kind: "escalation" | "landing", chunk: string): string {
  return kind === "landing" ? "need:landing:" : `need:escalation:${chunk}:`;
}

/** What somebody pushes to a chunk's branch is judged before anybody is asked about it. */
export function watchPushes(watch: Watch): Invariant {
  /** The attempt that a push is, until its floor goes out or somebody closes its pull request. */
  const unjudged = new Map<string, number>();
  const pulls = new Map<number, string>();
  return {
    onFact({ fact }) {
      switch (fact.kind) {
        case "RunStarted":
          unjudged.clear();
          pulls.clear();
          return;
        case "ChunkPullOpened":
          pulls.set(fact.number, fact.chunk);
          return;
        case "PullSettled":
          unjudged.delete(pulls.get(fact.number) ?? "");
          return;
        case "PersonPushed":
          if (fact.problems.length === 0) unjudged.set(fact.chunk, fact.attempt);
          return;
        case "JobDispatched":
          if (fact.subject.role === "floor") unjudged.delete(fact.subject.subject.replace(/^chunk-/u, ""));
          return;
        case "CommentPosted": {
          const [, chunk = "", attempt] = /^need:escalation:([^:]+):([0-9]+)/u.exec(fact.key) ?? [];
          if (attempt !== undefined && unjudged.get(chunk) === Number(attempt))
            watch.violated("I9", `people are asked about ${chunk}, to whose branch somebody pushed what nobody judges`);
          return;
        }
        default:
      }
    },
  };
}
