/** One request as Octokit makes it, and what of its answer may be believed. */
import { GitHubFailure } from "../contracts/errors.ts";
import type { Octokit } from "./octokit-source.ts";
import { type Operation, OPERATIONS, type Route } from "./operations.ts";

export interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

export async function request(
  octokit: Octokit,
  route: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Raw> {
  const { status, headers, data } = await octokit.request(route, parameters);
  return { status, headers, data: data as unknown };
}

/** GraphQL hands out the data alone: that is a 200. */
export function readStatus(answer: unknown): number {
  const status = statusOf(answer);
  return typeof status === "number" ? status : 200;
}

export function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
}

/**
 * Octokit hands out an answer whose body broke off as text; an effect is redirected where the
 * repository was renamed. Neither is a success.
 */
export function refuseHalfAnswers(answer: Raw, route: Route): void {
  const operation: Operation = OPERATIONS[route];
  const effect = operation.cost !== "read";
  if (String(answer.headers["content-type"]).includes("json") && typeof answer.data === "string") {
    throw new GitHubFailure("transient", "GitHub's answer broke off.", { request: route, ambiguous: effect });
  }
  if (effect && answer.status >= 300) {
    throw new GitHubFailure("conflict", "The repository was renamed or transferred.", {
      request: route,
      status: answer.status,
    });
  }
}
