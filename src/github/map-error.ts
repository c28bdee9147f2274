/** One place that turns whatever a request ended with into a {@link GitHubFailure}. */
import { RequestError } from "@octokit/request-error";
import { type FailureDetails, GitHubFailure } from "../contracts/errors.ts";
import { classifyRefusal } from "./classify-refusal.ts";
import { type Operation, OPERATIONS, type Route } from "./operations.ts";
import { redact } from "./redact.ts";

/** Errors before a connection stood: the request cannot have had an effect. */
const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * A limit without a time to wait: GitHub asks for at least a minute
 * (docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#rate-limit-errors).
 */
const limitPauseMs = 60_000;

/** @param now in ms, for the limit that names a time instead of a duration. */
export function mapError(error: unknown, route: Route, now: number): GitHubFailure {
  if (error instanceof GitHubFailure) return error;
  if (isGraphqlError(error)) return mapGraphqlErrors(error.errors, route);
  if (!isRequestError(error)) throw error;
  const request = describeRequest(error, route);
  const operation: Operation = OPERATIONS[route];
  const tokenRequest = error.request.url.endsWith("/access_tokens");
  const response = error.response;
  if (response === undefined) {
    const code = findCode(error.cause);
    const ambiguous = operation.cost !== "read" && !tokenRequest && !(code !== null && neverSent.has(code));
    const why = redact(code ?? error.message);
    return new GitHubFailure("transient", `GitHub did not answer (${why}).`, { request, ambiguous });
  }
  const { status } = error;
  const message = readMessage(error);
  const details: FailureDetails = { status, request };
  const retryAfterMs = readPause(response.headers, status, message, now);
  if (retryAfterMs !== null) {
    return new GitHubFailure("transient", `GitHub asks us to slow down: ${message}`, { ...details, retryAfterMs });
  }
  // 501 is no weather: nothing there serves the operation.
  if (status >= 500 && status !== 501) {
    const ambiguous = operation.cost !== "read" && !tokenRequest;
    return new GitHubFailure("transient", `GitHub failed (${status}): ${message}`, { ...details, ambiguous });
  }
  if (tokenRequest) return mapTokenRefusal(status, message, details);
  const refusal = classifyRefusal(status, message, route);
  return new GitHubFailure(refusal.kind, refusal.message, details);
}

function isRequestError(error: unknown): error is RequestError {
  // By name too: several copies of the class may be installed beside each other.
  return error instanceof RequestError || (error instanceof Error && error.name === "HttpError" && "request" in error);
}

interface GraphqlError extends Error {
  readonly errors: ReadonlyArray<{ readonly type?: string; readonly message: string }>;
}

function isGraphqlError(error: unknown): error is GraphqlError {
  return error instanceof Error && error.name === "GraphqlResponseError" && "errors" in error;
}

/** GraphQL answers 200 and says in the body what went wrong. */
function mapGraphqlErrors(errors: GraphqlError["errors"], route: Route): GitHubFailure {
  const message = shorten(errors.map((error) => error.message).join("; "));
  const details: FailureDetails = { status: 200, request: route };
  const types = new Set(errors.map((error) => error.type));
  if (types.has("RATE_LIMITED"))
    return new GitHubFailure("transient", message, { ...details, retryAfterMs: limitPauseMs });
  if (types.has("NOT_FOUND")) return new GitHubFailure("conflict", message, details);
  if (types.has("FORBIDDEN")) return new GitHubFailure("misconfigured", message, details);
  return new GitHubFailure("terminal", message, details);
}

/** The installation's token was refused: nothing of what we wanted to do was sent. */
function mapTokenRefusal(status: number, message: string, details: FailureDetails): GitHubFailure {
  if (status === 404 || status === 403 || status === 410) {
    return new GitHubFailure("dormant", `The installation is suspended or gone: ${message}`, details);
  }
  return new GitHubFailure("misconfigured", `GitHub does not accept the App's id and private key: ${message}`, details);
}

/** How long GitHub asks us to wait, in ms, or null when this is no limit. */
function readPause(
  headers: Readonly<Record<string, string | number | undefined>>,
  status: number,
  message: string,
  now: number,
): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = Number(headers["retry-after"]);
  if (headers["retry-after"] !== undefined && Number.isFinite(after)) return Math.max(1000, after * 1000);
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    const reset = Number(headers["x-ratelimit-reset"]) * 1000;
    return Number.isFinite(reset) ? Math.max(1000, reset - now + 1000) : limitPauseMs;
  }
  return status === 429 || /rate limit|abuse detection/iu.test(message) ? limitPauseMs : null;
}

/** The method and the path of a request, without query: the zip of an artifact is signed there. */
function describeRequest(error: RequestError, route: Route): string {
  const url = URL.canParse(error.request.url) ? new URL(error.request.url).pathname : route;
  return redact(`${error.request.method} ${url}`);
}

/** GitHub's own words, with what its error list adds, without anything secret, on one line. */
function readMessage(error: RequestError): string {
  const data: unknown = error.response?.data;
  if (typeof data !== "object" || data === null || !("message" in data)) return shorten(`HTTP ${error.status}`);
  const parts = [String(data.message)];
  if ("errors" in data && Array.isArray(data.errors)) {
    for (const entry of data.errors.slice(0, 10) as unknown[]) parts.push(describeEntry(entry));
  }
  return shorten(parts.join("; "));
}

function describeEntry(entry: unknown): string {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return "";
  const { message, resource, field, code } = entry as Readonly<Record<string, unknown>>;
  if (typeof message === "string") return message;
  return [resource, field, code].filter((part) => typeof part === "string").join(" ");
}

function shorten(text: string): string {
  const line = redact(text).replaceAll(/\s+/gu, " ").trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

function findCode(cause: unknown): string | null {
  for (let at = cause; typeof at === "object" && at !== null; at = (at as { cause?: unknown }).cause) {
    const { code, name } = at as { code?: unknown; name?: unknown };
    if (typeof code === "string") return code;
    if (name === "TimeoutError") return "timeout";
  }
  return null;
}
