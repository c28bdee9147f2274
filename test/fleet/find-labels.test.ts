import { describe, expect, it } from "@jest/globals";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { formatMarker } from "../../src/contracts/names.ts";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { Actor, RepositoryPort, RepositoryRef } from "../../src/github/port.ts";
import type { Fleet } from "../../src/fleet/context.ts";
import { parseDueKey } from "../../src/fleet/loop/due-key.ts";
import { findLabels } from "../../src/fleet/loop/find-labels.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { beginRun } from "../../src/fleet/intake/begin-run.ts";
import { parseIntakeHint } from "../../src/fleet/intake/intake-hint.ts";
import { GitHubModel } from "../sim/model/github-model.ts";
import { APP, REPOSITORY } from "../sim/model/identities.ts";
import { changeIssue, createComment, createIssue } from "../sim/model/issues.ts";
import { createModelGitHub } from "../sim/model/model-github.ts";
import { createModelPort } from "../sim/model/model-port.ts";
import { plantRepository } from "../sim/plant-repository.ts";
import { buildCalmScenario } from "../sim/scenario.ts";
import { MemoryDatabase, openMemoryStore } from "../sim/store/memory-store.ts";
import { VirtualTime } from "../sim/virtual-time.ts";

const ALICE: Actor = { login: "alice", id: 1, bot: false };
const TRIXIE: Actor = { login: "trixie", id: 3, bot: false };
const ROBOT: Actor = { login: "helper[bot]", id: 5, bot: true };
const STALE_MS = 120_000;
const RUN = parseRunKey("1-add-search");

/** A repository with one issue, on which no webhook ever comes. */
function openDeafPlace() {
  const time = new VirtualTime(1_796_029_200_000);
  const model = new GitHubModel(time, {
    happened: () => undefined,
    emit: () => undefined,
    startRun: () => undefined,
    mergeDelay: () => 500,
  });
  plantRepository(model, buildCalmScenario(1, 1));
  for (const [login, role] of [
    ["alice", "maintain"],
    ["trixie", "triage"],
    [ROBOT.login, "write"],
  ] as const)
    model.roles.set(login, role);
  const issue = createIssue(model, ALICE, "Add search", "Please.").number;
  const database = new MemoryDatabase();
  const store = openMemoryStore(database);
  const fleet: Fleet = {
    github: createModelGitHub(createModelPort(model)),
    store,
    clock: time,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    timing: { staleReadMs: STALE_MS },
    intervals: { jobMs: 1, otherMs: 1, sweepMs: 1 },
    reads: new ImmutableReads(),
  };
  const pass = (ms: number): void => {
    time.after(ms, () => undefined);
    while (time.step());
  };
  const comments = (): readonly string[] => [...model.comments.values()].map((comment) => comment.timeline.now);
  return {
    fleet,
    model,
    issue,
    store,
    database,
    pass,
    comments,
    label: (by: Actor) => {
      pass(5_000);
      changeIssue(model, issue, by, "unlabeled", { labels: [] });
      changeIssue(model, issue, by, "labeled", { labels: ["taskfleet"] });
      pass(5_000);
    },
    /** One sweep, and the intake of what it found. */
    sweep: async (): Promise<number> => {
      const found = await findLabels(fleet);
      for (let lease = await store.takeDue(time.now(), time.now() + 60_000); lease !== null;) {
        const key = parseDueKey(lease.key);
        if (key?.kind === "intake")
          for (const hint of lease.hints) await beginRun(fleet, key.issue, parseIntakeHint(hint));
        await store.releaseLease(lease, null);
        lease = await store.takeDue(time.now(), time.now() + 60_000);
      }
      return found;
    },
    runs: async () => (await store.loadRuns()).map((run) => run.runKey as string),
  };
}

describe("a label whose webhook never came", () => {
  it("starts its run at the next sweep, in the name of who set it, and once", async () => {
    const place = openDeafPlace();
    expect(await place.sweep()).toBe(0);
    place.label(ALICE);
    expect(await place.sweep()).toBe(1);
    expect(await place.sweep()).toBe(0);
    expect(await place.runs()).toEqual(["1-add-search"]);
    const [first] = await place.store.loadFacts({ repositoryId: REPOSITORY.id, runKey: RUN });
    expect(JSON.parse(first?.fact ?? "null")).toMatchObject({ kind: "RunStarted", actor: "alice" });
  });

  it("starts nothing for somebody without write access, who is told so once", async () => {
    const place = openDeafPlace();
    place.label(TRIXIE);
    expect(await place.sweep()).toBe(1);
    place.pass(300_000);
    expect(await place.sweep()).toBe(0);
    expect(await place.runs()).toEqual([]);
    expect(place.comments()).toHaveLength(1);
    expect(place.comments()[0]).toContain("stranger:trixie");
  });

  it("starts nothing for a bot", async () => {
    const place = openDeafPlace();
    place.label(ROBOT);
    await place.sweep();
    expect([await place.runs(), place.comments()]).toEqual([[], []]);
  });

  it("starts a second run only when it was set after the first one's last word", async () => {
    const place = openDeafPlace();
    place.label(ALICE);
    await place.sweep();
    const address = { repositoryId: REPOSITORY.id, runKey: RUN };
    place.pass(60_000);
    createComment(place.model, place.issue, APP, `The end.\n\n${formatMarker({ run: RUN, key: "report" })}`);
    await place.store.updateRun(address, { status: "closed" });
    place.pass(STALE_MS);
    await place.sweep();
    expect(await place.runs()).toEqual(["1-add-search"]);
    place.label(ALICE);
    await place.sweep();
    expect(await place.runs()).toEqual(["1-add-search", "1.2-add-search"]);
  });

  it("is not answered a second time by an App that has lost its database", async () => {
    const place = openDeafPlace();
    place.label(ALICE);
    await place.sweep();
    createComment(place.model, place.issue, APP, `At work.\n\n${formatMarker({ run: RUN, key: "status" })}`);
    place.database.clear();
    expect(await place.sweep()).toBe(0);
    expect(await place.runs()).toEqual([]);
  });
});

describe("an installation with many repositories", () => {
  const place = openDeafPlace();
  const asked: number[] = [];
  let refuses: number | null = null;
  const refs: readonly RepositoryRef[] = Array.from({ length: 120 }, (_, n) => ({
    ...REPOSITORY,
    id: n + 1,
    installationId: n < 110 ? 7 : 8,
  }));
  const repository = (ref: RepositoryRef): RepositoryPort =>
    ({
      ref,
      loadLabeledIssues: async () => {
        if (ref.id === refuses) throw new GitHubFailure("transient", "limit", { status: 403, retryAfterMs: 60_000 });
        asked.push(ref.id);
        return [];
      },
    }) as unknown as RepositoryPort;
  const github = { ...place.fleet.github, loadRepositoryRefs: async () => refs, repository };
  const ask = async (): Promise<readonly number[]> => {
    asked.length = 0;
    await findLabels({ ...place.fleet, github });
    return asked.filter((id) => id <= 110);
  };
  const range = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, n) => from + n);

  it("is asked about some of them at a time, in turn, and about as many as GitHub lets", async () => {
    expect(await ask()).toEqual(range(1, 50));
    expect(asked.filter((id) => id > 110)).toEqual(range(111, 120));
    expect(await ask()).toEqual(range(51, 100));
    refuses = 103;
    expect(await ask()).toEqual([101, 102]);
    refuses = null;
    expect(await ask()).toEqual([...range(103, 110), ...range(1, 42)]);
  });
});
