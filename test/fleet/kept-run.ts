import type { Fleet } from "../../src/fleet/context.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { RunSession } from "../../src/fleet/run-session.ts";
import type { Story } from "../engine-stories/story.ts";
import { openMemoryStore } from "../sim/store/memory-store.ts";

export const APP_ID = 11;

/** How far this GitHub's answers may lag behind. */
export const STALE_READ_MS = 120_000;

/** A run in a store of its own, on a GitHub that answers just this. */
export async function keepRun(
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
    timing: { staleReadMs: STALE_READ_MS },
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
