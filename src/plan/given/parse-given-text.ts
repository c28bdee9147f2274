import { parseDocument } from "yaml";
import { isObject } from "../shape/object-shape.ts";

export type GivenReading =
  /** `chunks` holds what stands for the plan's chunks, not yet validated. */
  | { readonly kind: "found"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "broken"; readonly why: string }
  | { readonly kind: "none" };

/** More than any plan needs. */
const MAX_CHARACTERS = 256 * 1024;
/** A few lines of aliases must not unfold into gigabytes. */
const MAX_ALIASES = 20;

/** @param text YAML or JSON: a plan (an object with `chunks`), a list of chunks, or one chunk. */
export function parseGivenText(text: string): GivenReading {
  if (text.length > MAX_CHARACTERS) return { kind: "broken", why: `it is longer than ${MAX_CHARACTERS} characters` };
  const document = parseDocument(text.replace(/^\uFEFF/u, ""), { uniqueKeys: true, prettyErrors: true });
  const [broken] = [...document.errors, ...document.warnings];
  if (broken !== undefined) return { kind: "broken", why: broken.message.split("\n")[0] ?? "it is not valid YAML" };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    return { kind: "broken", why: error instanceof Error ? error.message : "it cannot be read" };
  }
  if (Array.isArray(value)) return { kind: "found", value: { chunks: value as unknown[] } };
  if (!isObject(value)) return { kind: "broken", why: "it is neither a plan nor a chunk" };
  if (!Object.hasOwn(value, "chunks") && Object.hasOwn(value, "id"))
    return { kind: "found", value: { chunks: [value] } };
  return { kind: "found", value };
}
