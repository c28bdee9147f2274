import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { observeComments } from "../../src/fleet/observe/observe-comments.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun } from "./kept-run.ts";

const mona = { login: "mona", id: 4, bot: false };
const story = new Story().propose([buildChunk("a")]);
const { issue } = story.state.run;
const comment = { id: 900, body: "/cancel", author: mona, own: false, edited: false, createdAt: story.now, url: "" };

/** What one comment on the issue says to a run, and how often it was asked who wrote it. */
async function look(change: object): Promise<readonly [kinds: readonly string[], asked: number]> {
  let asked = 0;
  const { load } = await keepRun(story, {
    loadComments: async () => [{ ...comment, ...change }],
    loadRole: async () => {
      asked += 1;
      return "write";
    },
  });
  const facts = await observeComments(await load(), issue);
  return [facts.map(({ kind }) => kind), asked];
}

it("a comment commands the run it was written for, as it was written", async () => {
  expect(await look({})).toEqual([["CommandReceived"], 1]);
  expect(await look({ edited: true })).toEqual([[], 0]);
  // Brought to light again by whatever changed on it.
  expect(await look({ createdAt: story.state.startedAt - 24 * 3_600_000 })).toEqual([[], 0]);
});

it("nobody is asked about who wrote what holds no command", async () => {
  expect(await look({ body: "See /usr/bin and https://example.org/approve" })).toEqual([[], 0]);
});

it.each([
  ["deleted", new GitHubFailure("conflict", "The issue is gone. GitHub says: This issue was deleted", { status: 410 })],
  ["transferred", new GitHubFailure("conflict", "GitHub does not find it (any more): Not Found", { status: 404 })],
])("on an issue that was %s nobody says anything any more, and the run goes on looking", async (_, failure) => {
  const gone = { loadComments: () => Promise.reject(failure), loadIssue: async () => null };
  const { load } = await keepRun(story, gone);
  expect(await observeComments(await load(), issue)).toEqual([]);
  const there = await keepRun(story, { ...gone, loadIssue: async () => ({ number: issue }) });
  await expect(observeComments(await there.load(), issue)).rejects.toBe(failure);
});
