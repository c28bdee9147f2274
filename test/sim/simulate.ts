/** One story: a seed's world, played to its end, watched at every step. */
import type { RunAddress, Store, StoredFact } from "../../src/store/port.ts";
import { WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Fact, RecordedFact } from "../../src/engine/fact.ts";
import { JobRunner } from "./agents/job-runner.ts";
import { type Finding, Observer } from "./invariants/observer.ts";
import { GitHubModel } from "./model/github-model.ts";
import { People } from "./people.ts";
import { ALICE } from "./people/cast.ts";
import type { Scenario } from "./scenario.ts";
import { plantRepository } from "./plant-repository.ts";
import { type CreateDatabase, createMemoryDatabase } from "./store/story-database.ts";
import { VirtualTime } from "./virtual-time.ts";
import { Deliveries } from "./world/deliveries.ts";
import { Events, type Incident } from "./world/events.ts";
import { AppProcess } from "./world/process.ts";
import { readBack } from "./world/read-back.ts";
import type { Watcher } from "./world/watched-store.ts";

/** 30 November 2026, 09:00 UTC. */
const START = 1_796_029_200_000;
const HOUR = 60 * 60_000;
/** Nothing goes wrong any more after this; the story must come to its end. */
const CALM_AFTER = 30 * HOUR;
/** Nothing happened for so long: it has ended, or waits. Longer than any deadline of a job, of CI or of a failure. */
const QUIET = 3 * HOUR;
const LONGEST = 12 * 24 * HOUR;
const MAX_STEPS = 400_000;

export interface Outcome {
  readonly seed: number;
  readonly steps: number;
  readonly violations: readonly Finding[];
  /** Neither over nor waiting visibly: why. */
  readonly stuck: string | null;
  readonly facts: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  readonly incidents: readonly Incident[];
  readonly history: readonly string[];
  /** What became of each chunk. */
  readonly chunks: Readonly<Record<string, string>>;
  readonly ended: string | null;
  readonly virtualMs: number;
  /** Everything the run remembers. */
  readonly recorded: readonly RecordedFact[];
}

export interface SimulationOptions {
  readonly suppressed?: ReadonlySet<string>;
  /** What the processes keep what they know in; the memory when absent. */
  readonly createDatabase?: CreateDatabase;
}

export async function simulate(scenario: Scenario, options: SimulationOptions = {}): Promise<Outcome> {
  const time = new VirtualTime(START);
  const events = new Events(scenario.chance.scope("events"), time, options.suppressed ?? new Set(), START + CALM_AFTER);
  const model = new GitHubModel(time, {
    happened: (happening) => observer.happened(happening),
    emit: (event, payload) => {
      if (model.installationId !== null) deliveries.send(event, payload);
    },
    startRun: (run) => runner.start(run),
    mergeDelay: (pull) => scenario.chance.int(`merge-delay:${pull}`, 500, 90_000),
  });
  const runner = new JobRunner(model, scenario, events);
  const observer = new Observer(model, runner.laboratory, scenario);
  const database = (options.createDatabase ?? createMemoryDatabase)();
  const processes: AppProcess[] = [];
  const work = { open: 0 };
  /** Work of the database, which takes real time: the clock stands still until it is done. */
  const keepStill = async <Value>(perform: () => Promise<Value>): Promise<Value> => {
    work.open += 1;
    try {
      return await perform();
    } finally {
      work.open -= 1;
    }
  };
  const report = (error: unknown): void => observer.reportBug(error, "the database of the story failed");
  const counts = new Map<string, number>();
  const mortalCounts = new Map<string, number>();
  const deliveries = new Deliveries({
    seed: scenario.seed,
    time,
    faults: scenario.faults,
    events,
    chance: scenario.chance.scope("deliveries"),
    receive: async (delivery) => {
      const alive = processes.filter((process) => !process.dead);
      const receiver = alive[Number(delivery.id) % Math.max(1, alive.length)];
      return receiver === undefined ? false : receiver.receive(delivery);
    },
  });
  const watcher: Watcher = {
    recorded: (address: RunAddress, fact: StoredFact) =>
      observer.record(address, { seq: fact.seq, at: fact.at, fact: JSON.parse(fact.fact) as Fact }),
    begun: () => (work.open += 1),
    ended: () => (work.open -= 1),
  };
  const operator = { away: false };
  const startProcess = (): void => {
    if (!operator.away) void keepStill(database.open).then(runProcess).catch(report);
  };
  const runProcess = (store: Store): void => {
    let replaced = false;
    const process = new AppProcess({
      model,
      faults: scenario.faults,
      events,
      chance: scenario.chance.scope("port"),
      counts,
      mortalCounts,
      store,
      reviewer: scenario.reviewer,
      watcher,
      deliveries: () => deliveries,
      onDeath: () => {
        processes.splice(processes.indexOf(process), 1);
        // What it was writing is broken off, as when the system takes away what a dead process held.
        void keepStill(() => store.close()).catch(report);
        if (operator.away || replaced) return;
        // Somebody, or a supervisor, starts it again.
        time.after(scenario.chance.int(`restart:${processes.length}:${time.now()}`, 1_000, 10 * 60_000), startProcess);
      },
      onStall: (until) => {
        if (scenario.instances > 1) return;
        // Whoever watches a single one takes it for dead, starts another one, and ends the first when it moves again.
        replaced = true;
        time.after(scenario.chance.int(`replaced:${until}`, 20_000, 60_000), startProcess);
        time.after(until - time.now() + scenario.chance.int(`ended:${until}`, 0, 60_000), () => process.kill());
      },
      onBug: (error, message) => observer.reportBug(error, message),
      onAction: (kind) => observer.acted(kind),
    });
    processes.push(process);
    process.start();
  };

  const startAll = (): void => {
    for (let index = 0; index < scenario.instances; index += 1) startProcess();
  };

  plantRepository(model, scenario);
  startAll();
  const people = new People(model, scenario, events);
  // Later than any replica may lag behind the repository's beginning.
  time.after(5 * 60_000, () => people.begin());

  const { reinstalled, databaseLost } = scenario;
  let installedAt = START;
  if (reinstalled !== null)
    time.after(reinstalled.at * HOUR, () => {
      if (!events.note("uninstalled", "the owner uninstalls the App, to install it again")) return;
      model.uninstall();
      time.after(reinstalled.minutes * 60_000, () => {
        installedAt = time.now();
        model.reinstall(ALICE);
      });
    });
  if (databaseLost !== null)
    time.after(databaseLost * HOUR, () => {
      if (!events.note("database-lost", "the App's database is lost")) return;
      operator.away = true;
      for (const process of processes.slice()) process.kill();
      void keepStill(database.lose).catch(report);
      observer.lose("The App's database is lost.");
      time.after(scenario.chance.int("read-back-at", 4, 45) * 60_000, () => void comeBack());
    });
  const comeBack = async (): Promise<void> => {
    try {
      const store = await keepStill(database.open);
      const restored = await readBack({ model, store, watcher, events });
      await keepStill(() => store.close());
      observer.lose(restored.length > 0 ? `Read back: ${restored.join(", ")}.` : "There is nothing to read back.");
      operator.away = false;
      startAll();
      if (restored.length === 0) time.after(HOUR / 2, () => people.askAgain());
    } catch (error) {
      observer.reportBug(error, "a run could not be read back");
    }
  };

  const judgeEnd = async (): Promise<string | null> => {
    const store = await database.open();
    const judgement = await observer.judgeEnd(store, people.issue);
    await store.close();
    return judgement;
  };

  let steps = 0;
  let stuck: string | null = null;
  for (;;) {
    // Everything that runs in this process is driven by promises; when the event loop turns, they are done.
    do await new Promise((resolve) => setImmediate(resolve));
    while (work.open > 0);
    steps += 1;
    if (observer.findings.length > 0) break;
    const idle = time.now() - Math.max(observer.lastActivity, installedAt);
    if (idle > QUIET && model.installationId !== null && !people.busy && !hasOpenRuns(model)) {
      stuck = await judgeEnd();
      break;
    }
    if (steps >= MAX_STEPS || time.now() - START > LONGEST) {
      stuck = steps >= MAX_STEPS ? "it takes too many steps" : "it does not come to rest";
      break;
    }
    if (!time.step()) {
      stuck = "nothing is ever going to happen again";
      break;
    }
  }
  operator.away = true;
  for (const process of processes.slice()) process.kill();
  await database.close();
  return {
    seed: scenario.seed,
    steps,
    violations: observer.findings,
    stuck,
    facts: Object.fromEntries(observer.factCounts),
    actions: Object.fromEntries(observer.actionCounts),
    incidents: events.incidents,
    history: observer.story(START),
    chunks: observer.outcomes(),
    ended: observer.ended,
    virtualMs: time.now() - START,
    recorded: observer.facts,
  };
}

function hasOpenRuns(model: GitHubModel): boolean {
  for (const run of model.runs.values())
    if (run.path === WORKFLOW_PATH && run.timeline.now.status === "in_progress") return true;
  return false;
}
