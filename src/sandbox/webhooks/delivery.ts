/** One webhook delivery as GitHub records it, plus what the sandbox's faults made of it. */
export interface Delivery {
  readonly id: number;
  /** The same for every redelivery. */
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly repositoryId: number | null;
  readonly installationId: number | null;
  readonly redelivery: boolean;
  readonly createdAt: number;
  /** Headers as sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: string;
  outcome: DeliveryOutcome;
}

export type DeliveryOutcome =
  | { readonly kind: "pending" }
  /** Answered in time, whatever the status. */
  | {
      readonly kind: "answered";
      readonly statusCode: number;
      readonly durationMs: number;
      readonly responseBody: string;
      readonly responseHeaders: Readonly<Record<string, string>>;
    }
  /** No answer within 10 seconds, or no connection. */
  | { readonly kind: "failed"; readonly reason: string; readonly durationMs: number }
  /** Lost on purpose by a fault, or nobody to send to: GitHub lists no such delivery. */
  | { readonly kind: "lost"; readonly reason: string };
