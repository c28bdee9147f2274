/** One run whose App is killed right after one of its effects on GitHub, and started again. */
import type { AppProcess } from "../../src/cli/demo/app-process.ts";
import type { SandboxLogEntry } from "../../src/sandbox/services.ts";
import { findDoubles, listLandings } from "../fleet-stage/find-doubles.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

/** Two chunks beside each other: the second lands as a candidate. */
const CHUNKS = 2;

/** One effect of a run: the n-th of its kind, from 1. The order of all of them differs from run to run. */
export interface Boundary {
  /** Method and path below the repository. */
  readonly effect: string;
  readonly nth: number;
}

export interface Killed {
  /** False when the run ended without this effect: effects that are coalesced are not always as many. */
  readonly struck: boolean;
  /** From the new process's start until the run is closed. */
  readonly seconds: number;
  /** Webhooks that did not arrive although the new process was there: then only looking again helps. */
  readonly undelivered: number;
  readonly doubles: readonly string[];
  readonly landings: readonly string[];
  /** The last lines of the process that finished the run. */
  readonly log: readonly string[];
}

export class DyingApp {
  readonly #stage: FleetStage;
  readonly #control: { seen: (entry: SandboxLogEntry) => void };
  #app: AppProcess;
  #runs = 0;
  #restarted: Promise<number> = Promise.resolve(0);

  private constructor(stage: FleetStage, control: { seen: (entry: SandboxLogEntry) => void }, app: AppProcess) {
    this.#stage = stage;
    this.#control = control;
    this.#app = app;
  }

  static async open(): Promise<DyingApp> {
    const control = { seen: (entry: SandboxLogEntry): void => void entry };
    const stage = await openFleetStage({
      runner: createScriptedRunner({ chunks: () => buildChunks(CHUNKS) }),
      log: (entry) => control.seen(entry),
    });
    const app = await stage.startApp();
    stage.sandbox.setWebhookTarget(app.webhookUrl);
    return new DyingApp(stage, control, app);
  }

  /** A run that nobody disturbs. @returns its effects, in their order. */
  async listBoundaries(): Promise<readonly Boundary[]> {
    const boundaries: Boundary[] = [];
    await this.#run((boundary) => void boundaries.push(boundary));
    return boundaries;
  }

  async killAfter(wanted: Boundary): Promise<Killed> {
    let struck = false;
    const { repository, readyAt } = await this.#run((boundary) => {
      if (struck || boundary.effect !== wanted.effect || boundary.nth !== wanted.nth) return;
      struck = true;
      // The effect has happened; its answer reaches nobody.
      this.#restarted = this.#restart();
    });
    const [owner = "", name = ""] = repository.split("/");
    const state = this.#stage.sandbox.world.findRepository(owner, name);
    const later = this.#stage.sandbox.deliveries.filter(({ createdAt }) => struck && createdAt >= readyAt);
    return {
      struck,
      seconds: struck ? (Date.now() - readyAt) / 1000 : 0,
      undelivered: later.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "lost").length,
      doubles: findDoubles(this.#stage.sandbox, repository),
      landings: state === null ? [] : listLandings(state.git.dir, state.defaultBranch).toSorted(),
      log: this.#app.log.slice(-60),
    };
  }

  /** One run from its label until it is closed; each effect is told as it happens. */
  async #run(seen: (boundary: Boundary) => void): Promise<{ readonly repository: string; readonly readyAt: number }> {
    const repository = await this.#stage.createRepository(`parts-${(this.#runs += 1)}`);
    const counts = new Map<string, number>();
    this.#restarted = Promise.resolve(0);
    this.#control.seen = (entry) => {
      if (!isEffect(entry)) return;
      const effect = formatEffect(entry, repository);
      const nth = (counts.get(effect) ?? 0) + 1;
      counts.set(effect, nth);
      seen({ effect, nth });
    };
    try {
      await this.#stage.waitForEnd(repository, await this.#stage.startRun(repository), 400_000);
      const readyAt = await this.#waitUntilClosed();
      return { repository, readyAt };
    } finally {
      this.#control.seen = () => undefined;
    }
  }

  /** What is only shown to people comes after the end. @returns when the process became ready that closed it. */
  async #waitUntilClosed(): Promise<number> {
    for (;;) {
      const readyAt = await this.#restarted;
      const metrics = await fetch(new URL("/metrics", this.#app.webhookUrl)).then(
        (response) => response.text(),
        () => "",
      );
      if (/^taskfleet_open_runs 0$/mu.test(metrics)) return readyAt;
      // The process tells nobody that it has nothing left to do.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** As a supervisor does it: the same program with the same settings, at the same address. @returns when it was ready. */
  async #restart(): Promise<number> {
    await this.#app.kill();
    const { port } = new URL(this.#app.webhookUrl);
    this.#app = await this.#stage.startApp({ PORT: port });
    return Date.now();
  }

  async close(): Promise<void> {
    // A process that is being started is not one the stage could end.
    await this.#restarted.catch(() => 0);
    await this.#stage.close();
  }
}

/** Hashes differ from run to run. */
function formatEffect(entry: Request, repository: string): string {
  const path = entry.path.replace(`/repos/${repository}`, "");
  return `${entry.method} ${decodeURIComponent(path).replace(/\/candidate\/[0-9a-f]+/u, "/candidate/…")}`;
}

type Request = Extract<SandboxLogEntry, { kind: "request" }>;

/** A successful write of the App's: not of tokens, not of the person who opens and labels the issue. */
function isEffect(entry: SandboxLogEntry): entry is Request {
  return (
    entry.kind === "request" &&
    entry.method !== "GET" &&
    entry.status < 300 &&
    !/\/access_tokens$|\/hook\/deliveries|\/issues$|\/labels$/u.test(entry.path)
  );
}
