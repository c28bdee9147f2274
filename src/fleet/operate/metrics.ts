/** The figures an operator watches, in Prometheus' text format. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { PrimaryBudget, RequestEntry } from "../../github/request-log.ts";
import type { Store } from "../../store/port.ts";
import type { Clock } from "../clock.ts";
import type { Meter } from "../meter.ts";

export interface Metrics {
  readonly meter: Meter;
  /** Told about every request to GitHub. */
  noteRequest(entry: RequestEntry): void;
  /** Gauges are read when somebody asks. */
  watch(sources: MetricSources): void;
  readonly contentType: string;
  render(): Promise<string>;
}

export interface MetricSources {
  readonly store: Pick<Store, "loadNextDue" | "loadOpenRuns" | "loadDeliveries">;
  readonly clock: Clock;
  readonly budgets: ReadonlyMap<number | null, PrimaryBudget>;
}

/** Where a run was seen stand longer ago than this, another instance works on it now. */
const SEEN_MS = 15 * 60_000;
const SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(clock: Clock): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const seen = new Map<string, { readonly phase: string; readonly at: number }>();
  const counter = (name: string, help: string, labelNames: readonly string[] = []): Counter =>
    new Counter({ name: `taskfleet_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = (name: string, help: string, labelNames: readonly string[]): Histogram =>
    new Histogram({ name: `taskfleet_${name}`, help, labelNames: [...labelNames], buckets: SECONDS, registers });

  const actions = histogram("action_seconds", "How long actions took, by kind and outcome.", ["kind", "outcome"]);
  const deliveries = counter("deliveries_total", "Deliveries stored; known ones came again.", ["event", "known"]);
  const storing = histogram("delivery_store_seconds", "How long storing a delivery took.", []);
  const redelivered = counter("redeliveries_total", "Failed deliveries asked for again.");
  const givenUp = counter(
    "redeliveries_given_up_total",
    "Deliveries that failed for good and are not asked for again.",
  );
  const facts = counter("facts_total", "Facts recorded, by kind.", ["kind"]);
  const verdicts = counter("verdicts_total", "Verdicts after their evidence was checked.", ["outcome"]);
  const requests = counter("github_requests_total", "Requests to GitHub, by route and answer.", ["route", "status"]);
  const waits = histogram("github_wait_seconds", "How long requests waited for GitHub's limits.", []);

  const watch = ({ store, clock, budgets }: MetricSources): void => {
    gauge("runs", "Open runs this instance saw within 15 minutes, by where they stand.", ["state"], (set) => {
      const counts = new Map<string, number>();
      for (const [run, { phase, at }] of seen) {
        if (clock.now() - at > SEEN_MS) seen.delete(run);
        else counts.set(phase, (counts.get(phase) ?? 0) + 1);
      }
      for (const [state, count] of counts) set({ state }, count);
    });
    gauge("open_runs", "Open runs in the database.", [], async (set) => set({}, (await store.loadOpenRuns()).length));
    gauge("due_age_seconds", "How long the most overdue key has been waiting.", [], async (set) => {
      const next = await store.loadNextDue();
      set({}, next === null ? 0 : Math.max(0, clock.now() - next) / 1000);
    });
    gauge("inbox_age_seconds", "How long the oldest delivery has waited to be routed.", [], async (set) => {
      const [oldest] = await store.loadDeliveries(1);
      set({}, oldest === undefined ? 0 : Math.max(0, clock.now() - oldest.receivedAt) / 1000);
    });
    gauge("github_budget_left", "Requests left in GitHub's hourly limit.", ["installation"], (set) => {
      for (const [installation, budget] of budgets) {
        const left = budget.resetAt <= clock.now() ? budget.limit : budget.remaining;
        set({ installation: installation === null ? "app" : String(installation) }, left);
      }
    });
  };

  function gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: (set: (labels: Readonly<Record<string, string>>, value: number) => void) => void | Promise<void>,
  ): void {
    const made = new Gauge({
      name: `taskfleet_${name}`,
      help,
      labelNames: [...labelNames],
      registers,
      async collect() {
        made.reset();
        await collect((labels, value) => made.set(labels, value));
      },
    });
  }

  return {
    meter: {
      action: (kind, outcome, ms) => actions.observe({ kind, outcome }, ms / 1000),
      fact: (fact) => {
        facts.inc({ kind: fact.kind });
        if (fact.kind === "VerdictVerified") verdicts.inc({ outcome: fact.result.outcome });
      },
      redelivered: (count) => redelivered.inc(count),
      redeliveryGivenUp: () => givenUp.inc(),
      delivery: (event, fresh, ms) => {
        deliveries.inc({ event, known: String(!fresh) });
        storing.observe({}, ms / 1000);
      },
      run: ({ repositoryId, runKey }, phase) => {
        const key = `${repositoryId}/${runKey}`;
        if (phase === null) seen.delete(key);
        else seen.set(key, { phase, at: clock.now() });
      },
    },
    noteRequest: ({ route, status, failure, waitedMs }) => {
      requests.inc({ route, status: status === null ? (failure ?? "none") : String(status) });
      waits.observe({}, waitedMs / 1000);
    },
    watch,
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}
