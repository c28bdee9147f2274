/** A repository with one issue, on which no webhook comes but those that are handed over: the intake on a clock that jumps. */
import type { Fleet } from "../../src/fleet/context.ts";
import { routeDelivery } from "../../src/fleet/inbox/route-delivery.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { answerHints } from "../../src/fleet/intake/answer-hints.ts";
import { formatIntakeHint } from "../../src/fleet/intake/intake-hint.ts";
import { formatDueKey, parseDueKey } from "../../src/fleet/loop/due-key.ts";
import { findLabels } from "../../src/fleet/loop/find-labels.ts";
import type { Actor } from "../../src/github/port.ts";
import { GitHubModel } from "../sim/model/github-model.ts";
import { REPOSITORY } from "../sim/model/identities.ts";
import { changeIssue, createIssue } from "../sim/model/issues.ts";
import { createModelGitHub } from "../sim/model/model-github.ts";
import { createModelPort } from "../sim/model/model-port.ts";
import { plantRepository } from "../sim/plant-repository.ts";
import { buildCalmScenario } from "../sim/scenario.ts";
import { MemoryDatabase, openMemoryStore } from "../sim/store/memory-store.ts";
import { VirtualTime } from "../sim/virtual-time.ts";

export const ALICE: Actor = { login: "alice", id: 1, bot: false };
export const TRIXIE: Actor = { login: "trixie", id: 3, bot: false };
/** Opened the issue; may read only. */
export const MALLORY: Actor = { login: "mallory", id: 4, bot: false };
export const ROBOT: Actor = { login: "helper[bot]", id: 5, bot: true };
export const STALE_MS = 120_000;

/** A signed webhook on its way. */
export type Delivery = object;

export function openDeafPlace(
  text: { readonly title: string; readonly body: string } = { title: "Add search", body: "Please." },
) {
  const time = new VirtualTime(1_796_029_200_000);
  const sent: Delivery[] = [];
  const model = new GitHubModel(time, {
    happened: () => undefined,
    emit: (event, payload) => {
      if (event === "issues" && "label" in payload) sent.push(payload);
    },
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
  const issue = createIssue(model, MALLORY, text.title, text.body).number;
  const database = new MemoryDatabase();
  const store = openMemoryStore(database);
  const fleet: Fleet = {
    github: createModelGitHub(model, createModelPort(model)),
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
  /** What is due now. */
  const work = async (): Promise<void> => {
    for (let lease = await store.takeDue(time.now(), time.now() + 60_000); lease !== null;) {
      const key = parseDueKey(lease.key);
      if (key?.kind === "intake") await answerHints(fleet, key.issue, lease.hints);
      await store.releaseLease(lease, null);
      lease = await store.takeDue(time.now(), time.now() + 60_000);
    }
  };
  return {
    fleet,
    time,
    model,
    ref: REPOSITORY,
    issue,
    store,
    database,
    pass,
    work,
    comments: (): readonly string[] => [...model.comments.values()].map((comment) => comment.timeline.now),
    /**
     * @param next what the author makes of the issue within the same second.
     * @returns the webhook, which does not arrive by itself.
     */
    label: (by: Actor, next: { readonly body?: string } = {}): Delivery => {
      pass(5_000);
      changeIssue(model, issue, by, "unlabeled", { labels: [] });
      changeIssue(model, issue, by, "labeled", { labels: ["taskfleet"] }, { label: { name: "Taskfleet" } });
      changeIssue(model, issue, MALLORY, "edited", next);
      pass(5_000);
      return sent.at(-1) ?? {};
    },
    edit: (by: Actor, change: { readonly title?: string; readonly body?: string }): void => {
      pass(1_000);
      changeIssue(model, issue, by, "edited", change);
      pass(1_000);
    },
    /** The webhooks arrive, and what is due is worked on. */
    deliver: async (...deliveries: readonly Delivery[]): Promise<void> => {
      for (const delivery of deliveries)
        for (const route of routeDelivery("issues", delivery, "guid"))
          if (route.to === "intake") {
            const { by, bot, text: seen, repository } = route;
            const key = formatDueKey({ kind: "intake", repositoryId: repository.id, issue: route.issue });
            await store.putDue(key, time.now(), [formatIntakeHint({ by, bot, text: seen, repository })]);
          }
      await work();
    },
    /** One sweep, before anybody works on what it found. */
    sweepAtOnce: async (): Promise<number> => {
      const found = await findLabels(fleet);
      await work();
      return found;
    },
    /** One sweep, and the intake of what it found. */
    sweep: async (): Promise<number> => {
      const found = await findLabels(fleet);
      pass(STALE_MS);
      await work();
      return found;
    },
    runs: async () => (await store.loadRuns()).map((run) => run.runKey as string),
    /** The first fact of each run. */
    started: async () =>
      Promise.all(
        (await store.loadRuns()).map(async (run) => {
          const [first] = await store.loadFacts({ repositoryId: REPOSITORY.id, runKey: run.runKey });
          return JSON.parse(first?.fact ?? "null") as { readonly actor: string; readonly intent: string };
        }),
      ),
  };
}
