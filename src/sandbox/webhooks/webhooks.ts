import { randomUUID } from "node:crypto";
import type { Background } from "../background.ts";
import type { Faults } from "../faults.ts";
import type { World } from "../state/world.ts";
import type { Delivery } from "./delivery.ts";
import { formatSignature, sendDelivery } from "./send-delivery.ts";

/** Deliveries on their way at once; more wait their turn, in order. */
const MAX_IN_FLIGHT = 32;
/** GitHub never sends more. https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const MAX_PAYLOAD_BYTES = 25 * 1024 * 1024;

/** Sent to every App, subscribed or not. */
const ALWAYS = new Set(["installation", "installation_repositories", "github_app_authorization", "ping"]);

export interface WebhookMessage {
  readonly event: string;
  readonly action: string | null;
  readonly repositoryId: number | null;
  readonly installationId: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Records, signs and sends webhooks; nothing is ever sent again unless somebody asks. */
export class Webhooks {
  readonly deliveries: Delivery[] = [];
  readonly #world: World;
  readonly #background: Background;
  readonly #faults: Faults;
  readonly #hookId: number;
  readonly #timeoutMs: number;
  #target: string | null = null;
  #inFlight = 0;
  #held: Delivery | null = null;
  readonly #queue: (() => void)[] = [];

  constructor(parts: {
    readonly world: World;
    readonly background: Background;
    readonly faults: Faults;
    readonly timeoutMs: number;
  }) {
    this.#world = parts.world;
    this.#background = parts.background;
    this.#faults = parts.faults;
    this.#hookId = parts.world.ids.take("hook");
    this.#timeoutMs = parts.timeoutMs;
  }

  get target(): string | null {
    return this.#target;
  }

  setTarget(url: string | null): void {
    this.#target = url;
  }

  /** True when the App would hear of this event; payloads nobody hears need not be built. */
  subscribed(event: string): boolean {
    return ALWAYS.has(event) || this.#world.app.events.includes(event);
  }

  /** Records and sends one event to the App. */
  emit(message: WebhookMessage): void {
    if (!this.subscribed(message.event)) return;
    const body = JSON.stringify(message.payload);
    if (Buffer.byteLength(body) > MAX_PAYLOAD_BYTES) return;
    const delivery = this.#record(message, body, { guid: randomUUID(), redelivery: false });
    this.#dispatch(delivery);
  }

  /**
   * Sends a recorded delivery once more, with the same GUID.
   * https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks
   */
  redeliver(delivery: Delivery): Delivery {
    const copy = this.#record(delivery, delivery.body, { guid: delivery.guid, redelivery: true });
    this.#send(copy);
    return copy;
  }

  #record(
    message: Omit<WebhookMessage, "payload">,
    body: string,
    identity: { readonly guid: string; readonly redelivery: boolean },
  ): Delivery {
    const delivery: Delivery = {
      id: this.#world.ids.take("delivery"),
      guid: identity.guid,
      redelivery: identity.redelivery,
      event: message.event,
      action: message.action,
      repositoryId: message.repositoryId,
      installationId: message.installationId,
      createdAt: this.#world.now(),
      headers: {
        accept: "*/*",
        "content-type": "application/json",
        "user-agent": "GitHub-Hookshot/sandbox",
        "x-github-delivery": identity.guid,
        "x-github-event": message.event,
        "x-github-hook-id": String(this.#hookId),
        "x-github-hook-installation-target-id": String(this.#world.app.id),
        "x-github-hook-installation-target-type": "integration",
        "x-hub-signature-256": formatSignature(this.#world.app.webhookSecret, body),
      },
      body,
      outcome: { kind: "pending" },
    };
    this.deliveries.push(delivery);
    return delivery;
  }

  #dispatch(delivery: Delivery): void {
    const fault = this.#faults.takeDeliveryFault(delivery);
    switch (fault?.kind) {
      case "drop":
        delivery.outcome = { kind: "lost", reason: "dropped by a fault" };
        return;
      case "fail":
        delivery.outcome = { kind: "failed", reason: "failed to connect to host", durationMs: 0 };
        return;
      case "double":
        this.#send(delivery);
        this.#send(this.#record(delivery, delivery.body, { guid: delivery.guid, redelivery: false }));
        return;
      case "delay":
        this.#send(delivery, fault.ms);
        return;
      case "reorder": {
        // Overtaken by the next delivery, or sent after a while when none comes.
        this.#held = delivery;
        this.#background.schedule(fault.ms, () => {
          if (this.#held === delivery) this.#releaseHeld();
        });
        return;
      }
      case undefined:
        this.#send(delivery);
        this.#releaseHeld();
    }
  }

  #releaseHeld(): void {
    const held = this.#held;
    this.#held = null;
    if (held !== null) this.#send(held);
  }

  #send(delivery: Delivery, delayMs = 0): void {
    const target = this.#target;
    if (target === null) {
      delivery.outcome = { kind: "lost", reason: "no webhook address" };
      return;
    }
    this.#background.schedule(delayMs, async () => {
      if (this.#inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => this.#queue.push(resolve));
      this.#inFlight += 1;
      try {
        delivery.outcome = await sendDelivery(target, delivery, this.#timeoutMs);
      } finally {
        this.#inFlight -= 1;
        this.#queue.shift()?.();
      }
    });
  }
}
