import { describe, expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { formatBranch } from "../../src/contracts/names.ts";
import { listTargets, observe, readHint } from "../../src/fleet/observe.ts";
import { observeComments } from "../../src/fleet/observe/observe-comments.ts";
import { chunkId } from "../engine-stories/names.ts";
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
  const facts = await observeComments(await load(), issue, []);
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
  expect(await observeComments(await load(), issue, [])).toEqual([]);
  const there = await keepRun(story, { ...gone, loadIssue: async () => ({ number: issue }) });
  await expect(observeComments(await there.load(), issue, [])).rejects.toBe(failure);
});

const review = {
  id: 900,
  body: "/cancel",
  author: mona,
  own: false,
  state: "COMMENTED",
  submittedAt: story.now,
  url: "",
};
const pull = story.state.featurePull?.number ?? 0;
const HINTED = { kind: "hinted", note: null } as const;

/** A run on whose feature pull request this was written. */
function speak(reviews: readonly object[], comments: readonly object[] = [], role = "write") {
  return keepRun(story, {
    loadReviews: async () => reviews,
    loadComments: async () => comments,
    loadRole: async () => role,
  });
}

/** What reviews of the feature pull request say to a run. */
async function listReviewed(reviews: readonly object[], role = "write"): Promise<readonly string[]> {
  const { load } = await speak(reviews, [], role);
  return (await observe(await load(), `comments:${pull}`, HINTED)).map(({ kind }) => kind);
}

describe("a review's text", () => {
  it.each([["COMMENTED"], ["APPROVED"], ["DISMISSED"]])(
    "commands as a comment does, also one that is %s",
    async (state) => {
      expect(await listReviewed([{ ...review, state }])).toEqual(["CommandReceived"]);
    },
  );

  it("commands beside the request for changes that the review is", async () => {
    expect(await listReviewed([{ ...review, state: "CHANGES_REQUESTED" }])).toEqual([
      "CommandReceived",
      "ReviewsObserved",
    ]);
  });

  it.each([
    ["that is not submitted", { state: "PENDING", submittedAt: Number.NaN }],
    ["of our own", { own: true }],
    ["of another bot", { author: { ...mona, bot: true } }],
    ["written before the run", { submittedAt: story.state.startedAt - 24 * 3_600_000 }],
    ["without a command", { body: "Fine. See /usr/bin" }],
  ])("commands nothing in a review %s", async (_which, change) => {
    expect(await listReviewed([{ ...review, ...change }])).toEqual([]);
  });

  it("of a stranger is refused, and has no effect once they have access", async () => {
    const { load } = await speak([review], [], "read");
    const session = await load();
    const facts = await observe(session, `comments:${pull}`, HINTED);
    expect(facts).toMatchObject([{ kind: "StrangerRefused", login: "mona", on: pull }]);
    await session.append(facts);
    expect(await observe(session, `comments:${pull}`, HINTED)).toEqual([]);
  });

  it("counts once, and beside a comment that happens to have the same number", async () => {
    const { load } = await speak([{ ...review, body: "/pause\n/status" }], [{ ...comment, body: "/help" }]);
    const session = await load();
    await session.append(await observe(session, `comments:${pull}`, HINTED));
    expect(session.state.commands.map(({ name }) => name)).toEqual(["help", "pause", "status"]);
    expect(new Set(session.state.commands.map((command) => command.comment)).size).toBe(2);
    expect(await observe(session, `comments:${pull}`, HINTED)).toEqual([]);
  });

  it("and comments count in the order in which they were written", async () => {
    const later = { ...comment, body: "/resume", createdAt: story.now + 2_000 };
    const { load } = await speak([{ ...review, body: "/pause" }], [later]);
    const session = await load();
    await session.append(await observe(session, `comments:${pull}`, HINTED));
    expect(session.state.commands.map(({ name, accepted }) => [name, accepted])).toEqual([
      ["pause", true],
      ["resume", true],
    ]);
  });

  it("that was answered before the store was lost counts no more", async () => {
    const { load } = await speak([review]);
    const session = await load();
    await session.append(await observe(session, `comments:${pull}`, HINTED));
    const [command] = session.state.commands;
    const answered = new Story().propose([buildChunk("a")]).comment(`answer:${command?.comment}`);
    const rebuilt = await keepRun(answered, { loadReviews: async () => [review], loadComments: async () => [] });
    expect(await observe(await rebuilt.load(), `comments:${pull}`, HINTED)).toEqual([]);
  });

  it("is looked at when a webhook tells of the review", () => {
    const { run } = story.state.run;
    const payload = {
      action: "submitted",
      repository: { id: 5, name: "shop", owner: { login: "octo" } },
      installation: { id: 7 },
      sender: { login: "mona", type: "User" },
      pull_request: { number: pull, head: { ref: formatBranch({ kind: "integration", run }) } },
    };
    expect(routeDelivery("pull_request_review", payload, "guid")).toMatchObject([
      { to: "run", run, hint: `comments:${pull}` },
    ]);
  });
});

it("what is written below a closed pull request is read when a webhook tells of it, and not looked for", async () => {
  const closed = new Story().propose([buildChunk("a")]).approve();
  const number = 77;
  closed.record({ kind: "ChunkPullOpened", effect: "pull:a:1", chunk: chunkId("a"), number, url: "" });
  closed.record({ kind: "PullSettled", number, outcome: "closed" });
  const { load } = await keepRun(closed, {
    loadReviews: async () => [],
    loadComments: async () => [{ ...comment, body: "/retry a", createdAt: closed.now }],
    loadRole: async () => "write",
  });
  const session = await load();
  const target = `comments:${number}` as const;
  expect(listTargets(session)).not.toContain(target);
  expect(readHint(session, "sweep")).not.toContain(target);
  expect(readHint(session, target)).toEqual([target]);
  expect(readHint(session, "comments:4711")).toEqual([]);
  await session.append(await observe(session, target, HINTED));
  expect(session.state.commands.at(-1)).toMatchObject({ name: "retry", on: number, accepted: true });
});

it("a slip of the hand is recorded as it was written", async () => {
  const { load } = await keepRun(story, {
    loadComments: async () => [{ ...comment, body: "/Aprove  now" }],
    loadRole: async () => "write",
  });
  expect(await observeComments(await load(), issue, [])).toMatchObject([{ name: "unknown", args: "/Aprove now" }]);
});
