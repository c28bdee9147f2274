import { describe, expect, it } from "@jest/globals";
import type { ChunkId } from "../../src/contracts/ids.ts";
import type { Fleet } from "../../src/fleet/context.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { RunSession } from "../../src/fleet/run-session.ts";
import { TakenOver } from "../../src/fleet/taken-over.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { Story } from "../engine-stories/story.ts";
import { openMemoryStore } from "../sim/store/memory-store.ts";

/** A session of a run that has just begun, on a store alone: recording asks GitHub for nothing. */
async function begin(repository: object = {}): Promise<RunSession> {
  const story = new Story();
  const store = openMemoryStore();
  const [first] = story.facts;
  if (first === undefined) throw new Error("a story begins with a fact");
  const address = { repositoryId: 1, runKey: story.run };
  const record = { ...address, installationId: 1, owner: "octo", name: "tally", issue: 7, createdAt: first.at };
  await store.createRun({ ...record, status: "open" }, [
    { key: "RunStarted", at: first.at, fact: JSON.stringify(first.fact) },
  ]);
  const fleet = {
    store,
    clock: { now: () => story.now },
    github: { repository: () => ({ ...repository, ref: { id: 1, owner: "octo", name: "tally", installationId: 1 } }) },
    reads: new ImmutableReads(),
  } as unknown as Fleet;
  const session = await RunSession.load(fleet, address);
  if (session === null) throw new Error("the run was stored");
  return session;
}

describe("recording", () => {
  it("ignores what is known already", async () => {
    const session = await begin();
    const intent = { kind: "IntegrationCreated", commit: fakeSha("a"), intentBlob: fakeSha("b") } as const;
    expect([await session.append([intent]), await session.append([intent])]).toEqual([1, 0]);
  });

  it("ends where somebody else has recorded something meanwhile", async () => {
    const session = await begin();
    const other = await RunSession.load(session.fleet, session.address);
    const intent = { kind: "IntegrationCreated", commit: fakeSha("a"), intentBlob: fakeSha("b") } as const;
    await other?.append([intent]);
    await expect(session.append([{ kind: "EffectStarted", effect: "x" }])).rejects.toThrow(TakenOver);
    expect(session.state.pending).toEqual({});
  });

  it("records a check of the repository's that failed, ran again, and failed in the same way", async () => {
    const session = await begin();
    const gathered = { kind: "CiGathered", n: 1, commit: fakeSha("a"), state: "fail", rows: [] } as const;
    expect([await session.append([gathered]), await session.append([gathered])]).toEqual([1, 1]);
  });

  it("records a branch prepared for a second person, who took the chunk before anybody pushed", async () => {
    const session = await begin();
    const prepared = { kind: "TakePrepared", chunk: "a" as ChunkId, base: fakeSha("tip"), n: 1 } as const;
    expect([await session.append([prepared]), await session.append([prepared])]).toEqual([1, 1]);
  });
});
