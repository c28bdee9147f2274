/** One process of the App: the real shell, on the model's GitHub and a store that outlives it. */
import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { Fleet } from "../../../src/fleet/context.ts";
import { ImmutableReads } from "../../../src/fleet/immutable-reads.ts";
import { findLabels } from "../../../src/fleet/loop/find-labels.ts";
import { redeliverFailed } from "../../../src/fleet/inbox/redeliver.ts";
import { WorkerLoop } from "../../../src/fleet/loop/worker-loop.ts";
import type { GitHubPort } from "../../../src/github/port.ts";
import type { Store } from "../../../src/store/port.ts";
import { createModelGitHub } from "../model/model-github.ts";
import { createFaultyPort, MAX_LAG_MS, type PortParts } from "./faulty-port.ts";
import type { Deliveries, SentDelivery } from "./deliveries.ts";
import { Mortal } from "./mortal.ts";
import { type Watcher, watchStore } from "./watched-store.ts";
import { JUDGE, type ModelApp, TASKFLEET } from "../model/identities.ts";

/** Rarer than in production: the faults make up for it. */
const INTERVALS = { jobMs: 3 * 60_000, otherMs: 10 * 60_000, sweepMs: 15 * 60_000 };

export interface ProcessParts extends Omit<PortParts, "mortal"> {
  readonly store: Store;
  readonly watcher: Watcher;
  readonly deliveries: () => Deliveries;
  /** Whether a second App judges. */
  readonly reviewer: boolean;
  readonly onDeath: () => void;
  /** It stands still until then (ms). */
  readonly onStall: (until: number) => void;
  /** Errors that are bugs, told by the shell. */
  readonly onBug: (error: unknown, message: string) => void;
  /** An action was carried out. */
  readonly onAction: (kind: string) => void;
  readonly mortalCounts: Map<string, number>;
}

export class AppProcess {
  readonly #mortal: Mortal;
  readonly #fleet: Fleet;
  readonly #loop: WorkerLoop;
  readonly #parts: ProcessParts;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#mortal = new Mortal({ ...parts, time: parts.model.time });
    const store = watchStore(parts.store, this.#mortal, parts.watcher);
    const { time } = parts.model;
    this.#fleet = {
      github: this.#createGitHub(TASKFLEET),
      ...(parts.reviewer ? { reviewer: this.#createGitHub(JUDGE) } : {}),
      store,
      clock: time,
      log: {
        debug: () => undefined,
        info: (fields) => "action" in fields && parts.onAction(String(fields.action)),
        warn: () => undefined,
        error: (fields, message) => parts.onBug("err" in fields ? fields.err : fields, message),
      },
      timing: { staleReadMs: MAX_LAG_MS },
      intervals: INTERVALS,
      reads: new ImmutableReads(),
    };
    this.#loop = new WorkerLoop(this.#fleet, 4, { after: (ms, run) => this.#mortal.after(ms, run) });
  }

  get dead(): boolean {
    return this.#mortal.dead;
  }

  kill(): void {
    this.#mortal.kill();
  }

  /** As at every start, and then again and again. */
  start(): void {
    void this.#tick();
  }

  async #tick(): Promise<void> {
    if (this.dead) return;
    this.#mortal.after(INTERVALS.sweepMs, () => void this.#tick());
    await this.#loop.sweep();
    try {
      await redeliverFailed(this.#fleet);
      if ((await findLabels(this.#fleet)) > 0) this.#loop.poke();
    } catch (error) {
      // It is tried again at the next sweep, as in production.
      if (!(error instanceof GitHubFailure)) this.#parts.onBug(error, "the sweep failed");
    }
  }

  async receive(delivery: SentDelivery): Promise<boolean> {
    // Whoever stands still does not answer in time, which counts as failed.
    if (this.dead || this.#mortal.still) return false;
    // As the Probot function does it: stored, then acknowledged, then worked on.
    const fresh = await this.#fleet.store.putDelivery({
      guid: delivery.guid,
      event: delivery.event,
      payload: JSON.stringify(delivery.payload),
      receivedAt: this.#fleet.clock.now(),
    });
    if (fresh) this.#loop.poke();
    return true;
  }

  #createGitHub(app: ModelApp): GitHubPort {
    const port = createFaultyPort({ ...this.#parts, mortal: this.#mortal }, app);
    return createModelGitHub(this.#parts.model, port, app, {
      loadFailedDeliveries: async (since) => this.#parts.deliveries().listFailed(since),
      redeliver: async (id) => this.#parts.deliveries().redeliver(id),
    });
  }
}
