import { describe, expect, it } from "@jest/globals";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { formatMarker } from "../../src/contracts/names.ts";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import type { RepositoryPort, RepositoryRef } from "../../src/github/port.ts";
import { findLabels } from "../../src/fleet/loop/find-labels.ts";
import { APP, REPOSITORY } from "../sim/model/identities.ts";
import { createComment } from "../sim/model/issues.ts";
import { ALICE, openDeafPlace, ROBOT, STALE_MS, TRIXIE } from "./deaf-place.ts";

const RUN = parseRunKey("1-add-search");

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
