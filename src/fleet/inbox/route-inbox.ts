/** Takes stored deliveries out of the inbox and makes due what they hint at. */
import type { Fleet } from "../context.ts";
import { followMove } from "../follow-move.ts";
import { formatDueKey } from "../loop/due-key.ts";
import { type RepositoryIdentity, routeDelivery, type Route } from "./route-delivery.ts";
import type { RunRecord } from "../../store/port.ts";
import { formatIntakeHint } from "../intake/intake-hint.ts";

const BATCH = 100;

/** @returns how many deliveries were routed. */
export async function routeInbox(fleet: Fleet): Promise<number> {
  const deliveries = await fleet.store.loadDeliveries(BATCH);
  if (deliveries.length === 0) return 0;
  const targets = new Map<string, string[]>();
  for (const delivery of deliveries) {
    let payload: unknown = null;
    try {
      payload = JSON.parse(delivery.payload) as unknown;
    } catch {
      fleet.log.warn({ delivery: delivery.guid, event: delivery.event }, "a delivery is no JSON: ignored");
    }
    for (const route of routeDelivery(delivery.event, payload, delivery.guid)) {
      for (const [key, hint] of await expandRoute(fleet, route)) {
        const hints = targets.get(key) ?? [];
        if (!hints.includes(hint)) hints.push(hint);
        targets.set(key, hints);
      }
    }
  }
  await fleet.store.routeDeliveries(
    deliveries.map((delivery) => delivery.guid),
    [...targets].map(([key, hints]) => ({ key, hints })),
    fleet.clock.now(),
  );
  return deliveries.length;
}

async function expandRoute(fleet: Fleet, route: Route): Promise<ReadonlyArray<readonly [key: string, hint: string]>> {
  switch (route.to) {
    case "intake": {
      const key = formatDueKey({ kind: "intake", repositoryId: route.repository.id, issue: route.issue });
      const { by, bot, text, repository } = route;
      return [[key, formatIntakeHint({ by, bot, text, repository })]];
    }
    case "run": {
      const address = { repositoryId: route.repository.id, runKey: route.run };
      // A branch or workflow run may carry our name without being ours.
      const record = await fleet.store.loadRun(address);
      if (record === null) return [];
      await followDelivery(fleet, record, route.repository);
      return [[formatDueKey({ kind: "run", address }), route.hint]];
    }
    case "repository": {
      const open = await fleet.store.loadOpenRuns();
      const own = open.filter((run) => run.repositoryId === route.repository.id);
      for (const run of own) await followDelivery(fleet, run, route.repository);
      return own.map((run) => [formatDueKey({ kind: "run", address: run }), route.hint]);
    }
    case "installation": {
      const gained = new Map(route.gained.map((repository) => [repository.id, repository]));
      const targets: Array<readonly [key: string, hint: string]> = [];
      for (const run of await fleet.store.loadOpenRuns()) {
        const repository = gained.get(run.repositoryId);
        if (repository !== undefined) await followDelivery(fleet, run, repository);
        else if (run.installationId !== route.installationId) continue;
        targets.push([formatDueKey({ kind: "run", address: run }), "sweep"]);
      }
      return targets;
    }
  }
}

/**
 * Deliveries come late and again: what names a former installation tells nothing. Their numbers grow, so of a lower
 * one, as after a transfer to an owner who has had the App for longer, only GitHub's own list is believed
 * (`find-labels`).
 */
async function followDelivery(fleet: Fleet, run: RunRecord, found: RepositoryIdentity): Promise<void> {
  if (found.installationId >= run.installationId) await followMove(fleet, run, found);
}
