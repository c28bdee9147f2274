import { expect, it } from "@jest/globals";
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
