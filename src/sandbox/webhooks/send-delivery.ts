import { createHmac } from "node:crypto";
import type { Delivery, DeliveryOutcome } from "./delivery.ts";

/**
 * `X-Hub-Signature-256` of a body.
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function formatSignature(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/**
 * Posts one delivery and reports what came back. GitHub gives up after 10 seconds.
 * https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks#respond-within-10-seconds
 */
export async function sendDelivery(target: string, delivery: Delivery, timeoutMs: number): Promise<DeliveryOutcome> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: delivery.headers,
      body: delivery.body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const responseBody = await response.text();
    return {
      kind: "answered",
      statusCode: response.status,
      durationMs: elapsed(),
      responseBody: responseBody.slice(0, 4096),
      responseHeaders: Object.fromEntries(response.headers),
    };
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === "TimeoutError";
    return { kind: "failed", reason: timedOut ? "timed out" : "failed to connect to host", durationMs: elapsed() };
  }
}
