import type { CheckButton } from "../../contracts/buttons.ts";

/** What a check run shows; the same shape as the GitHub port's, which this room does not know. */
export interface CheckAnnotation {
  readonly path: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title: string;
  readonly message: string;
}

export interface CheckText {
  /** Plain text. */
  readonly title: string;
  /** Markdown, at most 65,535 bytes. */
  readonly summary: string;
  readonly text?: string;
  readonly status: "in_progress" | "completed";
  /** Present exactly when completed. */
  readonly conclusion?: "success" | "failure" | "neutral" | "cancelled" | "action_required";
  readonly annotations: readonly CheckAnnotation[];
  /** At most three. */
  readonly buttons: readonly CheckButton[];
}

export type Conclusion = NonNullable<CheckText["conclusion"]>;
