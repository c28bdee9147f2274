import pino, { type DestinationStream, type Logger } from "pino";
import { redact } from "../../github/redact.ts";

export interface LogOptions {
  readonly level: string;
  /** Values that must never stand in a line, wherever they come from: keys, secrets, passwords. */
  readonly secrets: readonly string[];
  /** Standard error when absent. */
  readonly destination?: DestinationStream;
}

/**
 * Structured lines: JSON with time, level, message, and where known `run`, `delivery`, `key`. Every line
 * is searched for secrets before it is written, because errors of libraries may hold anything.
 */
export function createLog(options: LogOptions): Logger {
  const known = options.secrets.filter((secret) => secret.length >= 6).flatMap(listForms);
  return pino(
    {
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
      hooks: {
        streamWrite: (line) => known.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), redact(line)),
      },
    },
    options.destination ?? pino.destination({ fd: 2, sync: false }),
  );
}

/** A secret as it may stand in a line of JSON. */
function listForms(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const base64 = Buffer.from(secret).toString("base64");
  return [...new Set([secret, escaped, encodeURIComponent(secret), base64])];
}

/** What is said of an error: never its request or response, which hold headers and bodies. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const kind = "kind" in error && typeof error.kind === "string" ? { kind: error.kind } : {};
  const details = "details" in error && typeof error.details === "object" ? { details: error.details } : {};
  const status = "status" in error && typeof error.status === "number" ? { status: error.status } : {};
  const errors =
    error instanceof AggregateError ? { errors: error.errors.slice(0, 5).map((entry) => describeError(entry)) } : {};
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type: name, message, stack, ...kind, ...status, ...details, ...errors, ...cause };
}
