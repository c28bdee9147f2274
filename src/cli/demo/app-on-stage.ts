import type { Sandbox } from "../../sandbox/sandbox-options.ts";
import { type AppProcess, startAppProcess } from "./app-process.ts";
import type { AppControl } from "./demo-options.ts";
import type { WebhookRelay } from "./webhook-relay.ts";

/** A local GitHub answers from memory: what was written is there at once. */
const staleReadMs = 500;

/** The App's process beside a local GitHub, and what may be done to it. */
export class AppOnStage implements AppControl {
  readonly #stage: { readonly sandbox: Sandbox; readonly dataDir: string };
  #relay: WebhookRelay | null = null;
  #process: AppProcess | null = null;

  constructor(stage: { readonly sandbox: Sandbox; readonly dataDir: string }) {
    this.#stage = stage;
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
    this.#process = await startAppProcess({
      appId: app.id,
      privateKey: app.privateKey,
      webhookSecret: app.webhookSecret,
      githubHost: new URL(url).host,
      dataDir: this.#stage.dataDir,
      staleReadMs,
    });
    this.#relay?.setTarget(this.#process.webhookUrl);
  }

  async killApp(): Promise<void> {
    this.#relay?.setTarget(null);
    await this.#process?.kill();
  }

  async end(): Promise<void> {
    await this.#process?.stop();
  }
}
