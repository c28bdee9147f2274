/**
 * The shell's loop: routes the inbox, takes what is due and works on it, several keys at a time, one
 * worker per key. It sleeps until something arrives or becomes due.
 */
import { GitHubFailure } from "../../contracts/errors.ts";
import type { Lease } from "../../store/port.ts";
import { systemTimers, type Timers } from "../clock.ts";
import type { Fleet } from "../context.ts";
import { EditPace } from "./edit-pace.ts";
import { formatDueKey, parseDueKey } from "./due-key.ts";
import { isEverybodyAnswered } from "../../engine/derive/answered.ts";
import { derivePhase } from "./derive-phase.ts";
import { answerHints } from "../intake/answer-hints.ts";
import { guardFleet } from "./guard-fleet.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { formatTexts } from "./pick-action.ts";
import { Polls } from "./polls.ts";
import { routeInbox } from "../inbox/route-inbox.ts";
import { type KnownState, RunSession } from "../run-session.ts";
import { TakenOver } from "../taken-over.ts";
import { TrackerMirror } from "../mirror/tracker-mirror.ts";
import { workRun } from "./work-run.ts";

const LEASE_MS = 60_000;
/** One request may take a quarter of a minute, and several of them follow each other within an action. */
const EXTEND_EVERY_MS = LEASE_MS / 4;
/** A key whose work failed unexpectedly is left alone for a while; another run is not held up by it. */
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 10 * 60_000;
/** A repository that is archived or whose installation is suspended is asked rarely. */
const DORMANT_MS = 30 * 60_000;
/** Payloads of routed deliveries are for operators only; GUIDs are kept as long as GitHub redelivers. */
const KEEP_PAYLOADS_MS = 24 * 60 * 60_000;

/** A loop that was poked while it ran runs again after this long: what arrives in between is routed together. */
const GATHER_MS = 20;

/** States kept in memory; a large one is some hundred kilobytes. */
const MOST_KNOWN = 64;

export class WorkerLoop {
  readonly #fleet: Fleet;
  readonly #polls = new Polls();
  readonly #pace = new EditPace();
  readonly #mirror = new TrackerMirror();
  readonly #busy = new Set<Promise<void>>();
  readonly #failures = new Map<string, number>();
  readonly #known = new Map<string, KnownState>();
  readonly #slots: number;
  readonly #timers: Timers;
  #disarm: (() => void) | null = null;
  #stopping = false;
  #running = false;
  #again = false;

  /** @param slots how many keys are worked on at once in this process. */
  constructor(fleet: Fleet, slots = 8, timers: Timers = systemTimers) {
    this.#fleet = fleet;
    this.#slots = slots;
    this.#timers = timers;
  }

  /** Something may be due: look now. Called after every stored delivery. */
  poke(): void {
    if (this.#stopping) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
      if (this.#again) {
        this.#again = false;
        this.#arm(GATHER_MS);
      }
    });
  }

  /** Every open run is looked at: at the start, and as the slow substitute for webhooks that never came. */
  async sweep(): Promise<void> {
    const now = this.#fleet.clock.now();
    await this.#fleet.store.pruneDeliveries(now - KEEP_PAYLOADS_MS);
    for (const run of await this.#fleet.store.loadOpenRuns())
      await this.#fleet.store.putDue(formatDueKey({ kind: "run", address: run }), now, ["sweep"]);
    this.poke();
  }

  /**
   * Takes nothing new, lets every action that is under way come to its end, and leaves the rest of each
   * turn to whoever takes its key next.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#disarm?.();
    while (this.#busy.size > 0) await Promise.allSettled(this.#busy);
  }

  async #run(): Promise<void> {
    this.#disarm?.();
    this.#disarm = null;
    try {
      while ((await routeInbox(this.#fleet)) > 0);
      while (!this.#stopping && this.#busy.size < this.#slots) {
        const now = this.#fleet.clock.now();
        const until = now + LEASE_MS;
        const lease = await this.#fleet.store.takeDue(now, until);
        if (lease === null) break;
        const work = this.#work(lease, until).finally(() => {
          this.#busy.delete(work);
          this.poke();
        });
        this.#busy.add(work);
      }
      await this.#sleep();
    } catch (error) {
      this.#fleet.log.error({ err: error }, "the worker loop failed; it goes on in a moment");
      this.#arm(FIRST_RETRY_MS);
    }
  }

  async #sleep(): Promise<void> {
    if (this.#stopping || this.#busy.size >= this.#slots) return;
    const next = await this.#fleet.store.loadNextDue();
    if (next !== null) this.#arm(Math.max(0, next - this.#fleet.clock.now()));
  }

  #arm(ms: number): void {
    if (this.#stopping) return;
    this.#disarm?.();
    this.#disarm = this.#timers.after(ms + 1, () => this.poke());
  }

  async #work(lease: Lease, until: number): Promise<void> {
    const { store } = this.#fleet;
    const terms = { until, leaseMs: LEASE_MS, everyMs: EXTEND_EVERY_MS };
    const keeper = new LeaseKeeper(this.#fleet, this.#timers, lease, terms);
    try {
      const wakeAt = await this.#workKey(lease, keeper);
      // Whoever has it by now may not know what was recorded last.
      if (!keeper.held) throw new TakenOver();
      this.#failures.delete(lease.key);
      await store.releaseLease(lease, wakeAt);
    } catch (error) {
      await this.#putOff(lease, error);
    } finally {
      keeper.end();
    }
  }

  /** The work on a key failed. Nothing is thrown: a store that fails as well must not end the other keys' work. */
  async #putOff(lease: Lease, error: unknown): Promise<void> {
    const { store, log, clock } = this.#fleet;
    const dormant = error instanceof GitHubFailure && error.kind === "dormant";
    const count = (this.#failures.get(lease.key) ?? 0) + 1;
    this.#failures.set(lease.key, count);
    const failed = error instanceof GitHubFailure;
    const expected = failed || error instanceof TakenOver;
    const wait = dormant
      ? DORMANT_MS
      : ((failed ? error.details.retryAfterMs : undefined) ??
        Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(count - 1, 10)));
    log[expected ? "warn" : "error"](
      { ...describeKey(lease.key), err: error, count, wait },
      "work on a key failed; it is tried again later",
    );
    const at = clock.now() + wait;
    try {
      // The hints are put back: what they point at was not looked at to the end.
      await store.putDue(lease.key, at, lease.hints);
      await store.releaseLease(lease, at);
    } catch (failure) {
      log.error(
        { ...describeKey(lease.key), err: failure },
        "a key could not be given back; it is free when its lease ends",
      );
    }
  }

  /** Runs that were worked on lately are not read from the beginning again. */
  #keep(key: string, known: KnownState): void {
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) return;
      this.#known.delete(oldest);
    }
  }

  /** @returns when to work on the key again, or null. */
  async #workKey(lease: Lease, keeper: LeaseKeeper): Promise<number | null> {
    const key = parseDueKey(lease.key);
    if (key === null) return null;
    const fleet = guardFleet(this.#fleet, () => keeper.held);
    if (key.kind === "intake") {
      await answerHints(fleet, key.issue, lease.hints);
      return null;
    }
    const session = await RunSession.load(fleet, key.address, this.#known.get(lease.key) ?? null);
    // Taken out while it is worked on: after a failure everything is read from the store again.
    this.#known.delete(lease.key);
    // What a process has heard that stood still while another one closed the run is answered all the same.
    if (session === null || (session.record.status === "closed" && isEverybodyAnswered(session.state))) return null;
    const { wakeAt } = await workRun(session, lease, { polls: this.#polls, pace: this.#pace }, () =>
      Promise.resolve(keeper.held && !this.#stopping),
    );
    if (wakeAt === null) {
      this.#polls.forget(key.address);
      this.#pace.forget(formatTexts(key.address));
    }
    const over = wakeAt === null;
    const mirrorAt = keeper.held ? await this.#mirror.update(session) : null;
    if (over) this.#mirror.forget(session);
    if (!over) this.#keep(lease.key, session.known);
    this.#fleet.meter?.run(key.address, over ? null : derivePhase(session.state, this.#fleet.clock.now()));
    return wakeAt === null || mirrorAt === null ? wakeAt : Math.min(wakeAt, mirrorAt);
  }
}

/** What a log line says about a key. */
function describeKey(text: string): object {
  const key = parseDueKey(text);
  if (key === null) return { key: text };
  return key.kind === "run"
    ? { key: text, run: key.address.runKey, repositoryId: key.address.repositoryId }
    : { key: text, issue: key.issue, repositoryId: key.repositoryId };
}
