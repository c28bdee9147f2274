/** From an agent's text to a value of a schema, or the reasons why it is none. */
import type { z } from "zod";
import { neutraliseModelText } from "./neutralise-model-text.ts";

export type Read<Value> =
  | { readonly value: Value; readonly reasons: readonly [] }
  | { readonly value: null; readonly reasons: readonly string[] };

/** A verdict is some kilobytes; 500 findings with full quotes stay below this. */
const maxLength = 2 * 1024 * 1024;
const maxReasons = 20;

export function readVerdict<Schema extends z.ZodType>(raw: string, schema: Schema): Read<z.infer<Schema>> {
  if (raw.length > maxLength)
    return { value: null, reasons: [`the verdict is ${raw.length} characters long; at most ${maxLength} are read`] };
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    return { value: null, reasons: ["the verdict is not JSON"] };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data, reasons: [] };
  return {
    value: null,
    reasons: limitReasons(
      parsed.error.issues.map((issue) => {
        const place = issue.path.length === 0 ? "the verdict" : `\`${issue.path.map(String).join(".")}\``;
        return `${place}: ${issue.message}`;
      }),
    ),
  };
}

/** Reasons for people: without tricks, and not more than anybody reads. */
export function limitReasons(reasons: readonly string[]): readonly string[] {
  const shown = reasons.slice(0, maxReasons).map((reason) => neutraliseModelText(reason).slice(0, 500));
  return reasons.length > maxReasons ? [...shown, `and ${reasons.length - maxReasons} more`] : shown;
}
