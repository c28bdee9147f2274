/** A repository keeps its id; its owner, its name and the installation it belongs to may change while a run is open. */
import { describe, expect, it } from "@jest/globals";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { routeInbox } from "../../src/fleet/inbox/route-inbox.ts";
import { formatIntakeHint } from "../../src/fleet/intake/intake-hint.ts";
import { formatDueKey } from "../../src/fleet/loop/due-key.ts";
import { findLabels } from "../../src/fleet/loop/find-labels.ts";
import { RunSession } from "../../src/fleet/run-session.ts";
import { REPOSITORY } from "../sim/model/identities.ts";
import { ALICE, openDeafPlace, STALE_MS } from "./deaf-place.ts";

const RUN = parseRunKey("1-add-search");
const ADDRESS = { repositoryId: REPOSITORY.id, runKey: RUN };
const KEY = formatDueKey({ kind: "run", address: ADDRESS });
const HEX = { id: REPOSITORY.id, owner: "hexa", name: "store", installationId: 99 };

/** A run is open and nothing is due. */
async function openPlace() {
  const place = openDeafPlace();
  await place.deliver(place.label(ALICE));
  place.database.due.clear();
  const hear = async (event: string, payload: object): Promise<void> => {
    const text = JSON.stringify(payload);
    await place.store.putDelivery({ guid: event + text, event, payload: text, receivedAt: place.time.now() });
    await routeInbox(place.fleet);
  };
  const isReached = async (): Promise<boolean> => {
    const session = await RunSession.load(place.fleet, ADDRESS);
    return (await session?.repository.loadRepository().catch(() => null)) !== null;
  };
  return { ...place, hear, isReached, record: () => place.store.loadRun(ADDRESS) };
}

function buildPayload({ id, owner, name, installationId }: typeof HEX, more: object): object {
  return { ...more, repository: { id, name, owner: { login: owner } }, installation: { id: installationId } };
}

it("a run is not led back by a delivery of an installation that is gone", async () => {
  const place = await openPlace();
  await place.hear("status", buildPayload(HEX, {}));
  const { id, owner, name } = REPOSITORY;
  await place.hear("status", buildPayload({ id, owner, name, installationId: 7 }, {}));
  expect(await place.record()).toMatchObject({ owner: "hexa", installationId: 99 });
});

describe("a run whose repository moved", () => {
  it.each([
    ["a renaming", "repository", { action: "renamed" }],
    ["something about the whole repository", "status", {}],
    ["something about this run", "push", { ref: `refs/heads/taskfleet/${RUN}/integration`, after: "a".repeat(40) }],
  ])("follows it as soon as a webhook tells of %s", async (_, event, more) => {
    const place = await openPlace();
    await place.hear(event, buildPayload(HEX, more));
    expect(await place.record()).toMatchObject({ owner: "hexa", name: "store", installationId: 99, status: "open" });
    expect(place.database.due.has(KEY)).toBe(true);
  });

  it.each([
    ["installed again", "installation", "created", "repositories"],
    ["given to an installation", "installation_repositories", "added", "repositories_added"],
  ])("goes on at once when the App is %s", async (_, event, action, list) => {
    const place = await openPlace();
    place.model.installationId = 99;
    expect(await place.isReached()).toBe(false);
    const listed = { [list]: [{ id: REPOSITORY.id, name: "tally", full_name: "octo/tally" }] };
    await place.hear(event, { action, installation: { id: 99 }, ...listed });
    expect(await place.isReached()).toBe(true);
    expect(place.database.due.get(KEY)?.hints.map(({ hint }) => hint)).toEqual(["sweep"]);
  });

  it("is found by the sweep, without a webhook, and once", async () => {
    const place = await openPlace();
    place.model.installationId = 99;
    expect(await findLabels(place.fleet)).toBe(1);
    expect([await place.isReached(), place.database.due.has(KEY)]).toEqual([true, true]);
    expect(await findLabels(place.fleet)).toBe(0);
  });

  it("is not moved by what happens to another one, or by an installation that loses it", async () => {
    const place = await openPlace();
    const before = await place.record();
    const lost = [{ id: REPOSITORY.id, full_name: "octo/tally" }];
    await place.hear("status", buildPayload({ ...HEX, id: 1 }, {}));
    await place.hear("push", buildPayload({ ...HEX, id: 1 }, { ref: `refs/heads/taskfleet/${RUN}/integration` }));
    await place.hear("installation", { action: "deleted", installation: { id: 99 }, repositories: lost });
    await place.hear("installation", { action: "created", installation: { id: 99 }, repositories: [null, { id: 5 }] });
    expect([await place.record(), place.database.due.size]).toEqual([before, 0]);
  });
});

it("a label that was found just before the App was installed again is found in its name as well, and starts its run", async () => {
  const place = openDeafPlace();
  place.label(ALICE);
  expect(await findLabels(place.fleet)).toBe(1);
  place.pass(20 * 60_000);
  place.model.installationId = 99;
  expect(await findLabels(place.fleet)).toBe(1);
  place.pass(STALE_MS);
  await place.work();
  expect(await place.store.loadRun(ADDRESS)).toMatchObject({ installationId: 99 });
});

it("a label that waited while the App was installed again starts its run, with the text its webhook proved", async () => {
  const place = openDeafPlace();
  const [route] = routeDelivery("issues", place.label(ALICE), "guid");
  if (route?.to !== "intake") throw new Error("the webhook tells of a label");
  place.model.installationId = 99;
  const { by, bot, text, repository } = route;
  const found = { by, bot, text: null, repository: { ...repository, installationId: 99 } };
  const key = formatDueKey({ kind: "intake", repositoryId: REPOSITORY.id, issue: place.issue });
  const hints = [formatIntakeHint({ by, bot, text, repository }), formatIntakeHint(found)];
  await place.store.putDue(key, place.time.now(), hints);
  await place.work();
  expect(await place.store.loadRun(ADDRESS)).toMatchObject({ installationId: 99 });
});
