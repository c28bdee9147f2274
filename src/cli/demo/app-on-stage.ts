import type { Sandbox } from "../../sandbox/sandbox-options.ts";
import { type AppProcess, startAppProcess } from "./app-process.ts";
import type { AppControl } from "./demo-options.ts";
import type { WebhookRelay } from "./webhook-relay.ts";

/** A local GitHub answers from memory: what was written is there at once. */
const staleReadMs = 500;

export interface AppOnStageOptions {
  /** Further settings of the process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Called when the process has ended although nobody here ended it. */
  readonly onDeath?: ((control: AppControl) => void) | undefined;
}

/** The App's process beside a local GitHub, and what may be done to it. */
export class AppOnStage implements AppControl {
  readonly #stage: { readonly sandbox: Sandbox; readonly dataDir: string };
  readonly #options: AppOnStageOptions;
  #relay: WebhookRelay | null = null;
  #process: AppProcess | null = null;
  /** The one that was ended by us. */
  #released: AppProcess | null = null;

  constructor(stage: { readonly sandbox: Sandbox; readonly dataDir: string }, options: AppOnStageOptions = {}) {
    this.#stage = stage;
    this.#options = options;
  }

  get webhookUrl(): string | null {
    return this.#process?.webhookUrl ?? null;
  }

  get log(): readonly string[] {
    return this.#process?.log ?? [];
  }

  async begin(relay: WebhookRelay): Promise<void> {
    this.#relay = relay;
    await this.startApp();
  }

  async startApp(): Promise<void> {
    const { app, url } = this.#stage.sandbox;
    const started = await startAppProcess({
      appId: app.id,
      privateKey: app.privateKey,
      webhookSecret: app.webhookSecret,
      githubHost: new URL(url).host,
      dataDir: this.#stage.dataDir,
      staleReadMs,
      ...(this.#options.env === undefined ? {} : { env: this.#options.env }),
    });
    this.#process = started;
    void started.exited.then(() => this.#noticeEnd(started));
    this.#relay?.setTarget(this.#process.webhookUrl);
  }

  async killApp(): Promise<void> {
    this.#relay?.setTarget(null);
    this.#released = this.#process;
    await this.#process?.kill();
  }

  async end(): Promise<void> {
    this.#released = this.#process;
    await this.#process?.stop();
  }

  #noticeEnd(ended: AppProcess): void {
    if (ended !== this.#released) this.#options.onDeath?.(this);
  }
}
