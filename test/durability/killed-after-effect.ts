/** One run whose App is killed right after its n-th effect on GitHub, and started again. */
import type { AppProcess } from "../../src/cli/demo/app-process.ts";
import type { SandboxLogEntry } from "../../src/sandbox/services.ts";
import { findDoubles, listLandings } from "../fleet-stage/find-doubles.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

/** Two chunks beside each other: the second lands as a candidate. */
const CHUNKS = 2;

export interface Killed {
  /** The effect after which the process was killed, or null when the run had ended before. */
  readonly effect: string | null;
  readonly doubles: readonly string[];
  readonly landings: readonly string[];
}

export class DyingApp {
  readonly #stage: FleetStage;
  readonly #control: { seen: (entry: SandboxLogEntry) => void };
  #app: AppProcess;
  #runs = 0;

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

  /** @param n from 1. */
  async killAfterEffect(n: number): Promise<Killed> {
    const stage = this.#stage;
    const repository = await stage.createRepository(`parts-${(this.#runs += 1)}`);
    let count = 0;
    const { promise: struck, resolve: strike } = Promise.withResolvers<string>();
    this.#control.seen = (entry) => {
      if (!isEffect(entry)) return;
      count += 1;
      if (count !== n) return;
      // The effect has happened; its answer reaches nobody.
      void this.#app.kill();
      strike(`${entry.method} ${entry.path.replace(`/repos/${repository}`, "")}`);
    };
    const issue = await stage.startRun(repository);
    const ended = stage.waitForEnd(repository, issue, 400_000);
    ended.catch(() => undefined);
    const effect = await Promise.race([struck, ended.then(() => null)]);
    this.#control.seen = () => undefined;
    if (effect !== null) {
      await this.#app.exited;
      this.#app = await stage.startApp();
      stage.sandbox.setWebhookTarget(this.#app.webhookUrl);
    }
    await ended;
    const [owner = "", name = ""] = repository.split("/");
    const state = stage.sandbox.world.findRepository(owner, name);
    return {
      effect,
      doubles: findDoubles(stage.sandbox, repository),
      landings: state === null ? [] : listLandings(state.git.dir, state.defaultBranch).toSorted(),
    };
  }

  async close(): Promise<void> {
    await this.#stage.close();
  }
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
