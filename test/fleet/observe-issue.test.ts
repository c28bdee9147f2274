import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { decide } from "../../src/engine/decide.ts";
import { apply } from "../../src/fleet/apply.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { observeIssue } from "../../src/fleet/observe/observe-issue.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun, STALE_READ_MS } from "./kept-run.ts";

it("an issue that was deleted or transferred is one that a person closed", async () => {
  const story = new Story();
  const { load } = await keepRun(story, { loadIssue: async () => null });
  const session = await load();
  expect(await observeIssue(session, null)).toEqual([]);
  story.wait(STALE_READ_MS);
  const facts = await observeIssue(session, null);
  expect(facts).toEqual([{ kind: "IssueInterfered", n: 1, what: "closed" }]);
  await session.append(facts);
  expect(await observeIssue(session, null)).toEqual([]);
});

it.each([["deleted"], ["transferred"]])("the webhook that an issue was %s has it looked at", (action) => {
  const payload = {
    action,
    repository: { id: 5, name: "shop", owner: { login: "octo" } },
    installation: { id: 7 },
    sender: { login: "mona", type: "User" },
    issue: { number: 3 },
  };
  expect(routeDelivery("issues", payload, "guid")).toMatchObject([{ to: "repository", hint: "issue:3" }]);
});

it("a comment on an issue that is gone is given up, and one that fails for another reason is not", async () => {
  const story = new Story().intake();
  const failure = new GitHubFailure("conflict", "GitHub does not find it (any more): Not Found", { status: 404 });
  for (const [issue, kind] of [
    [null, "terminal"],
    [{ number: story.state.run.issue }, "conflict"],
  ] as const) {
    const { load } = await keepRun(story, {
      createComment: () => Promise.reject(failure),
      loadIssue: async () => issue,
    });
    const session = await load();
    const { actions } = decide(session.state, story.now, { staleReadMs: STALE_READ_MS });
    const comment = actions.find((action) => action.kind === "PostComment");
    if (comment === undefined) throw new Error("the run says that it has begun");
    expect(await apply(session, comment)).toBe("failed");
    expect(session.state.failures[comment.key]?.failure).toBe(kind);
  }
});
