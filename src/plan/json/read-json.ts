import { isBlank } from "../../contracts/blank.ts";
import type { Problem } from "../../contracts/problem.ts";
import { countWrittenKeys, measureValue } from "./count-keys.ts";
import { scanJson } from "./scan-json.ts";
import { findPosition } from "./source-map.ts";

export interface ReadLimits {
  /** Bytes of UTF-8; default 4 MiB. */
  readonly maxBytes?: number;
  /** Objects and arrays inside each other; default 64. */
  readonly maxDepth?: number;
}

export type JsonReading =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly text: string };

export const defaultMaxBytes = 4 * 1024 * 1024;
const defaultMaxDepth = 64;

/**
 * Reads strict JSON from a text or its UTF-8 bytes. A byte order mark is dropped. Refused, each
 * with its own rule: invalid UTF-8, too many bytes, too deep nesting, syntax errors, a key that
 * stands twice, half surrogate pairs (raw or as `\ud800`).
 */
export function readJson(input: string | Uint8Array, limits: ReadLimits = {}): JsonReading {
  const maxBytes = limits.maxBytes ?? defaultMaxBytes;
  const bytes = typeof input === "string" ? countBytes(input, maxBytes) : input.byteLength;
  if (bytes > maxBytes) {
    // Whoever reads from a stream stops behind the limit, so nobody knows how many there are.
    const found = `more than ${maxBytes} bytes`;
    return refuse("", "size-limit", {
      message: `the document has ${found}`,
      found,
      allowed: `up to ${maxBytes} bytes`,
    });
  }
  const decoded = typeof input === "string" ? input : decodeUtf8(input);
  if (decoded === null)
    return refuse("", "encoding", {
      message: "the document is not valid UTF-8",
      found: "bytes that are no UTF-8",
      allowed: "UTF-8",
    });
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
  if (!text.isWellFormed())
    return refuseAt(text, findHalfSurrogate(text), "lone-surrogate", {
      message: "half of a surrogate pair is no character",
      ...halfSurrogate,
    });

  const maxDepth = limits.maxDepth ?? defaultMaxDepth;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return explainSyntax(text, maxDepth);
  }
  const measure = measureValue(value, maxDepth);
  if (measure.depth > maxDepth) return explainSyntax(text, maxDepth);
  if (countWrittenKeys(text) !== measure.keys) return explainDuplicates(text);
  if (/\\u[dD][89a-fA-F]/.test(text)) {
    const problems = findEscapedHalves(text, value);
    if (problems.length > 0) return { ok: false, problems, text };
  }
  return { ok: true, value, text };
}

function countBytes(text: string, maxBytes: number): number {
  // No UTF-16 code unit needs more than three bytes.
  return text.length * 3 <= maxBytes ? text.length : new TextEncoder().encode(text).length;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

type Details = Required<Pick<Problem, "message" | "found" | "allowed">>;

function refuse(text: string, rule: string, details: Details): JsonReading {
  return { ok: false, problems: [{ pointer: "", rule, ...details }], text };
}

function refuseAt(text: string, offset: number, rule: string, details: Details): JsonReading {
  return { ok: false, problems: [{ pointer: "", rule, ...details, ...findPosition(text, offset) }], text };
}

const halfSurrogate = { found: "half of a surrogate pair", allowed: "whole characters" };

function findHalfSurrogate(text: string): number {
  return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text)?.index ?? 0;
}

function explainSyntax(text: string, maxDepth: number): JsonReading {
  const allowed = "a value";
  if (isBlank(text))
    return refuseAt(text, 0, "json-syntax", { message: "the document is empty", found: "nothing", allowed });
  const fault = scanJson(text, { maxDepth });
  // JSON.parse refused the text, so the scanner does; were it kinder, the error must not get lost.
  if (fault === null)
    return refuseAt(text, 0, "json-syntax", { message: "the document is not JSON", found: "no JSON", allowed });
  const { offset, rule = "json-syntax", ...details } = fault;
  return refuseAt(text, offset, rule, details);
}

function explainDuplicates(text: string): JsonReading {
  const problems: Problem[] = [];
  scanJson(text, {
    onDuplicate: (pointer, key, offset, firstOffset) => {
      const first = findPosition(text, firstOffset);
      problems.push({
        pointer,
        rule: "duplicate-key",
        message: `the key ${JSON.stringify(key)} stands twice in one object, first at line ${first.line}, column ${first.column}`,
        found: JSON.stringify(key),
        allowed: "each key once",
        ...findPosition(text, offset),
      });
    },
  });
  return { ok: false, problems, text };
}

function findEscapedHalves(text: string, value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  const offsets = new Map<string, number>();
  scanJson(text, { onValue: (pointer, offset, key) => offsets.set(pointer, key >= 0 ? key : offset) });
  const stack: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: "", value }];
  const report = (pointer: string): void => {
    const message = "a string holds half of a surrogate pair, which is no character";
    problems.push({
      pointer,
      rule: "lone-surrogate",
      message,
      ...halfSurrogate,
      ...findPosition(text, offsets.get(pointer) ?? 0),
    });
  };
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top.value === "string" && !top.value.isWellFormed()) report(top.pointer);
    if (typeof top.value !== "object" || top.value === null) continue;
    for (const [key, part] of Object.entries(top.value)) {
      const pointer = `${top.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (!key.isWellFormed()) report(pointer);
      stack.push({ pointer, value: part });
    }
  }
  return problems.reverse();
}
