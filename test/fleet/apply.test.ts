import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { apply } from "../../src/fleet/apply.ts";
import type { Fleet } from "../../src/fleet/context.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { RunSession } from "../../src/fleet/run-session.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { Story } from "../engine-stories/story.ts";
import { openMemoryStore } from "../sim/store/memory-store.ts";

const ready = { kind: "MarkReady", key: "ready", reason: "", priority: "cosmetic", probe: false } as const;

/** A run with a draft of its feature's pull request, and what was asked of GitHub about it. */
async function begin(markReady: () => Promise<void>): Promise<{ load: () => Promise<RunSession> }> {
  const story = new Story().propose([buildChunk("a")]);
  const store = openMemoryStore();
  const address = { repositoryId: 1, runKey: story.run };
  const record = { ...address, installationId: 1, owner: "octo", name: "tally", issue: 7, createdAt: story.now };
  await store.createRun(
    { ...record, status: "open" },
    story.facts.map(({ seq, at, fact }) => ({ key: `${seq}`, at, fact: JSON.stringify(fact) })),
  );
  const repository = { ref: { id: 1 }, loadPull: () => Promise.resolve({ draft: true }), markReady };
  const fleet = {
    store,
    clock: { now: () => story.now },
    log: { info: () => undefined, warn: () => undefined },
    github: { repository: () => repository },
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
