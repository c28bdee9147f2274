import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { DEFAULT_INTERVALS } from "../../src/fleet/context.ts";
import { EditPace } from "../../src/fleet/loop/edit-pace.ts";
import { Polls } from "../../src/fleet/loop/polls.ts";
import { workRun } from "../../src/fleet/loop/work-run.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun } from "./kept-run.ts";

/**
 * One turn of a run that has just begun, on a GitHub that shows neither the issue nor its comments.
 * @param failure why the comments are not shown when first asked for; everything else is not for a passing reason.
 * @returns how often it tried to tell people of the run.
 */
async function turn(
  hints: readonly string[],
  failure: Error = new GitHubFailure("transient", "GitHub answers 502"),
): Promise<number> {
  const fail = () => Promise.reject(new GitHubFailure("transient", "GitHub answers 502"));
  let comments: () => Promise<never> = () => {
    comments = fail;
    return Promise.reject(failure);
  };
  let told = 0;
  const { load } = await keepRun(new Story({ issue: 7 }), {
    loadIssue: fail,
    loadComments: () => comments(),
    loadBranch: fail,
    createComment: () => {
      told += 1;
      return fail();
    },
  });
  const session = await load();
  Object.assign(session.fleet, { timing: { staleReadMs: 0 }, intervals: DEFAULT_INTERVALS });
  const lease = { key: "run", hints, token: "t" };
  const memory = { polls: new Polls(), pace: new EditPace() };
  await expect(workRun(session, lease, memory, () => Promise.resolve(true))).rejects.toThrow(failure.message);
  return told;
}

it.each([[[]], [["sweep"]]])(
  "goes on while things it looks at from time to time cannot be seen, and looks again (hints: %j)",
  async (hints) => {
    expect(await turn(hints)).toBe(1);
  },
);

it("does nothing before it has seen what something is known to have happened to", async () => {
  expect(await turn(["comments:7"])).toBe(0);
});

it("asks a GitHub that wants a pause for nothing more", async () => {
  expect(await turn([], new GitHubFailure("transient", "slow down", { retryAfterMs: 60_000 }))).toBe(0);
});

it.each([
  new GitHubFailure("terminal", "GitHub refuses (422)"),
  new GitHubFailure("misconfigured", "GitHub forbids it"),
  new TypeError("a bug of ours"),
])("is not silenced by one thing that cannot be read, and ends with its error ($message)", async (failure) => {
  expect(await turn(["comments:7"], failure)).toBe(1);
});

it("leaves a repository alone that is out of reach", async () => {
  expect(await turn([], new GitHubFailure("dormant", "The repository is archived."))).toBe(0);
});
