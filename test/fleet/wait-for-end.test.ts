import { expect, it } from "@jest/globals";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { formatMarker } from "../../src/contracts/names.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { APP, REPOSITORY } from "../sim/model/identities.ts";
import { changeIssue, createComment } from "../sim/model/issues.ts";
import { ALICE, openDeafPlace, STALE_MS, TRIXIE } from "./deaf-place.ts";

const RUN = parseRunKey("1-add-search");
const ADDRESS = { repositoryId: REPOSITORY.id, runKey: RUN };
const MINUTE = 60_000;

/** A run that has come to its end and said so, one of whose branches nobody may delete. */
async function openStuckPlace() {
  const place = openDeafPlace();
  await place.deliver(place.label(ALICE));
  const refused: Fact = {
    kind: "EffectFailed",
    effect: `delete:taskfleet/${RUN}/integration`,
    failure: "misconfigured",
    message: "A rule or branch protection forbids it.",
    ambiguous: false,
    retryAfterMs: null,
  };
  const facts: readonly Fact[] = [{ kind: "RunCancelled", why: "/cancel by alice" }, refused];
  const stored = facts.map((fact, at) => ({ key: `end:${at}`, at, fact: JSON.stringify(fact) }));
  await place.store.appendFacts(ADDRESS, stored);
  createComment(place.model, place.issue, APP, `The end.\n\n${formatMarker({ run: RUN, key: "report" })}`);
  const told = (): readonly string[] => place.comments().filter((text) => text.includes("unfinished:"));
  return { ...place, told };
}

it("a label set while the former run is still tidying up begins the next run, once that is done", async () => {
  const place = await openStuckPlace();
  await place.deliver(place.label(ALICE));
  expect([place.told(), await place.runs()]).toEqual([[], [RUN]]);
  await place.store.updateRun(ADDRESS, { status: "closed" });
  place.pass(5 * MINUTE + STALE_MS);
  await place.work();
  expect(await place.runs()).toEqual([RUN, "1.2-add-search"]);
});

it("whoever set it is told once when that takes long, and it counts all the same", async () => {
  const place = await openStuckPlace();
  await place.deliver(place.label(ALICE));
  for (let look = 0; look < 6; look += 1) {
    place.pass(5 * MINUTE);
    await place.work();
  }
  expect(place.told()).toHaveLength(1);
  expect(place.told()[0]).toContain("deleting a branch: A rule or branch protection forbids it");
  await place.store.updateRun(ADDRESS, { status: "closed" });
  place.pass(5 * MINUTE + STALE_MS);
  await place.work();
  expect(await place.runs()).toEqual([RUN, "1.2-add-search"]);
});

it("neither the label that began the run nor a stranger's is spoken about", async () => {
  const place = await openStuckPlace();
  const late = place.label(ALICE);
  createComment(place.model, place.issue, APP, `Answered.\n\n${formatMarker({ run: RUN, key: "answer:1" })}`);
  await place.deliver(late);
  place.pass(20 * MINUTE);
  await place.work();
  place.label(TRIXIE);
  place.pass(20 * MINUTE);
  await place.work();
  expect(place.told()).toEqual([]);
});

it("a label on a locked issue starts nothing, since nothing could be said there", async () => {
  const place = openDeafPlace();
  const label = place.label(ALICE);
  changeIssue(place.model, place.issue, ALICE, "locked", { locked: true });
  await place.deliver(label);
  expect([await place.runs(), place.comments()]).toEqual([[], []]);
});
