import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { apply } from "../../src/fleet/apply.ts";
import type { Fleet } from "../../src/fleet/context.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { RunSession } from "../../src/fleet/run-session.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";
import { openMemoryStore } from "../sim/store/memory-store.ts";

const ready = { kind: "MarkReady", key: "ready", reason: "", priority: "cosmetic", probe: false } as const;

const APP_ID = 11;

/** A run with a draft of its feature's pull request, and what was asked of GitHub about it. */
function begin(markReady: () => Promise<void>): Promise<{ load: () => Promise<RunSession> }> {
  const story = new Story().propose([buildChunk("a")]);
  return keep(story, { loadPull: () => Promise.resolve({ draft: true }), markReady });
}

async function keep(
  story: Story,
  answers: Readonly<Record<string, unknown>>,
): Promise<{ load: () => Promise<RunSession> }> {
  const store = openMemoryStore();
  const address = { repositoryId: 1, runKey: story.run };
  const record = { ...address, installationId: 1, owner: "octo", name: "tally", issue: 7, createdAt: story.now };
  await store.createRun(
    { ...record, status: "open" },
    story.facts.map(({ seq, at, fact }) => ({ key: `${seq}`, at, fact: JSON.stringify(fact) })),
  );
  const repository = { ref: { id: 1 }, ...answers };
  const fleet = {
    store,
    clock: { now: () => story.now },
    log: { info: () => undefined, warn: () => undefined },
    github: { repository: () => repository, loadApp: () => Promise.resolve({ id: APP_ID }) },
    reads: new ImmutableReads(),
  } as unknown as Fleet;
  return {
    load: async () => {
      const session = await RunSession.load(fleet, address);
      if (session === null) throw new Error("the run was stored");
      return session;
    },
  };
}

it("what people see is done by one of two processes that both believe a run theirs", async () => {
  let done = 0;
  const { load } = await begin(() => Promise.resolve(void (done += 1)));
  const both = [await load(), await load()];
  const outcomes = await Promise.all(both.map((session) => apply(session, ready)));
  expect([done, outcomes.toSorted()]).toEqual([1, ["done", "left"]]);
});

it("a refusal of GitHub is told as what it is, and may be tried again", async () => {
  let tries = 0;
  const { load } = await begin(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new GitHubFailure("transient", "out")) : Promise.resolve();
  });
  const session = await load();
  expect([await apply(session, ready), await apply(session, ready)]).toEqual(["failed", "done"]);
});

it.each([
  ["that was read back", "written into", 1_000],
  ["that knows all it made", "made", 0],
])("in a run %s, a check that only GitHub knows is %s", async (_, outcome, countBase) => {
  const story = new Story().propose([buildChunk("a")]);
  if (countBase > 0) story.record({ kind: "RunRebuilt", countBase });
  const externalId = `${story.run}:accept:1:candidate`;
  const made = { id: 5, appId: APP_ID, externalId, url: "https://github.com/octo/tally/runs/5" };
  const deeds: string[] = [];
  const { load } = await keep(story, {
    loadCheckRuns: () => Promise.resolve([{ ...made, id: 4, appId: APP_ID + 1 }, made]),
    createCheck: () => Promise.resolve(void deeds.push("made")).then(() => ({ ...made, id: 6 })),
    updateCheck: (id: number) => Promise.resolve(void deeds.push(id === made.id ? "written into" : "another's")),
  });
  const publish = {
    kind: "PublishCheck",
    key: `check:${externalId}`,
    reason: "",
    priority: "cosmetic",
    probe: false,
    name: "taskfleet/accept",
    sha: fakeSha("candidate"),
    externalId,
    subject: { kind: "run" },
    revision: "floor",
  } as const;
  expect([await apply(await load(), publish), deeds]).toEqual(["done", [outcome]]);
});
