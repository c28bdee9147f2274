/** One thing GitHub does, with where that is written, and how to see it. */
import { RequestError } from "@octokit/request-error";
import { isDeepStrictEqual } from "node:util";
import { GitHubFailure } from "../../src/contracts/errors.ts";

export type Expected =
  /** An HTTP answer, and words that must be among those it gives as reason. */
  | { readonly kind: "answer"; readonly status: number; readonly says: string | null }
  /** What was found out. */
  | { readonly kind: "value"; readonly value: unknown };

export interface Behaviour<Place> {
  readonly does: string;
  readonly expected: Expected;
  /** Addresses of documentation or reports. */
  readonly sources: readonly [string, ...string[]];
  readonly ask: (place: Place) => Promise<unknown>;
}

export type Outcome =
  | { readonly outcome: "as expected" }
  | { readonly outcome: "differs"; readonly found: string; readonly wanted: string };

export function answers(status: number, says: string | null = null): Expected {
  return { kind: "answer", status, says };
}

export function gives(value: unknown): Expected {
  return { kind: "value", value };
}

/** Asks, and compares with what is expected. */
export async function tryBehaviour<Place>(place: Place, behaviour: Behaviour<Place>): Promise<Outcome> {
  const { expected } = behaviour;
  const wanted = formatExpected(expected);
  const differs = (found: string): Outcome => ({ outcome: "differs", found, wanted });
  let given: unknown;
  try {
    given = await behaviour.ask(place);
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal === null) throw error;
    if (expected.kind === "value") return differs(`${refusal.status} ${refusal.says}`);
    return matches(expected, refusal) ? { outcome: "as expected" } : differs(`${refusal.status} ${refusal.says}`);
  }
  if (expected.kind === "value") {
    return isDeepStrictEqual(given, expected.value) ? { outcome: "as expected" } : differs(JSON.stringify(given));
  }
  const status = readStatus(given);
  if (status === null) return differs(`no answer but ${JSON.stringify(given)}`);
  return matches(expected, { status, says: "" }) ? { outcome: "as expected" } : differs(String(status));
}

/** What a refusal says, or what was found, in one line. */
export function formatExpected(expected: Expected): string {
  if (expected.kind === "value") return JSON.stringify(expected.value);
  return expected.says === null ? String(expected.status) : `${expected.status} ${expected.says}`;
}

interface Refusal {
  readonly status: number;
  readonly says: string;
}

function matches(expected: Extract<Expected, { kind: "answer" }>, answer: Refusal): boolean {
  return answer.status === expected.status && (expected.says === null || answer.says.includes(expected.says));
}

function readStatus(answer: unknown): number | null {
  if (typeof answer !== "object" || answer === null || !("status" in answer)) return null;
  return typeof answer.status === "number" ? answer.status : null;
}

/** The status of a refused request, with its message and its list of errors. */
export function readRefusal(error: unknown): Refusal | null {
  // A place may speak another copy of the library: the shape tells as well.
  if (!(error instanceof RequestError) || error instanceof GitHubFailure) return null;
  const data = error.response?.data as { readonly message?: unknown; readonly errors?: unknown } | undefined;
  const details = Array.isArray(data?.errors) ? data.errors.map(formatDetail) : [];
  const message = typeof data?.message === "string" ? data.message : error.message;
  return { status: error.status, says: [message, ...details].join(" ") };
}

function formatDetail(detail: unknown): string {
  if (typeof detail === "string") return detail;
  const { message, field, code } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  return [message, field, code].filter((part) => typeof part === "string").join(" ");
}
