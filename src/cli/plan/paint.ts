import { styleText } from "node:util";

export type Severity = "error" | "warning";

/** Colours a word when somebody looks at a terminal. */
export function paint(severity: Severity, text: string): string {
  if (!process.stdout.isTTY || process.env["NO_COLOR"] !== undefined) return text;
  return styleText(severity === "error" ? "red" : "yellow", text);
}
