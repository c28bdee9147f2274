import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { decide } from "../../src/engine/decide.ts";
import { apply } from "../../src/fleet/apply.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun, STALE_READ_MS } from "./kept-run.ts";

/** The pull request of a chunk that was pushed a moment ago is refused once; what the failure is recorded as. */
async function openRefused(words: string, shown: { readonly head: string | null; readonly aheadBy: number }) {
  const a = chunkId("a");
  const story = new Story().propose([buildChunk("a")]).approve();
  story.start(a).receive(a);
  const { fork } = story.state.run;
  story.record({ kind: "ChangeSetCommitted", chunk: a, attempt: 1, head: fork, tree: fork });
  let refused = 0;
  const { load } = await keepRun(story, {
    createPull: ({ head, base }: { head: string; base: string }) => {
      if (refused > 0)
        return Promise.resolve({ number: 9, url: "u", state: "open", head: { ref: head }, base: { ref: base } });
      refused += 1;
      return Promise.reject(new GitHubFailure("terminal", words, { status: 422 }));
    },
    loadPullsByHead: async () => [],
    loadBranch: async (branch: string) => (branch.includes("/chunk/") ? shown.head : fork),
    loadComparison: async () => ({ aheadBy: shown.aheadBy }),
  });
  const session = await load();
  const { actions } = decide(session.state, story.now, { staleReadMs: STALE_READ_MS });
  const action = actions.find(({ kind }) => kind === "OpenChunkPull");
  if (action === undefined) throw new Error("a committed change set gets its pull request");
  expect(await apply(session, action)).toBe("failed");
  const failure = session.state.failures[action.key];
  expect(await apply(session, action)).toBe("done");
  return failure === undefined ? null : { kind: failure.failure, seconds: (failure.retryAt - failure.at) / 1_000 };
}

const INVALID = "GitHub refuses (422): Validation Failed; PullRequest head invalid";
const NOTHING = "GitHub refuses (422): Validation Failed; No commits between main and a";

it.each([
  ["what GitHub has not heard of is asked for again soon", INVALID, "a".repeat(40), 1, "transient", 2],
  ["what seems to bring nothing, though it does, is asked for again soon", NOTHING, "a".repeat(40), 1, "transient", 2],
  ["what brings nothing is told to people", NOTHING, "a".repeat(40), 0, "terminal", 180],
  ["a branch that is gone is told to people", INVALID, null, 1, "terminal", 180],
  [
    "another refusal is told to people",
    "GitHub refuses (422): Draft pull requests are not supported",
    "a".repeat(40),
    1,
    "terminal",
    180,
  ],
])("of a pull request right after its push: %s", async (_, words, head, aheadBy, kind, seconds) => {
  expect(await openRefused(words, { head, aheadBy })).toEqual({ kind, seconds });
});
