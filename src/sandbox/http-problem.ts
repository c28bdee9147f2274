import type { ContentfulStatusCode } from "hono/utils/http-status";

/** One entry of GitHub's `errors` array: a sentence, or a field with a code. */
export type ProblemDetail =
  | string
  | { readonly resource: string; readonly field?: string; readonly code: string; readonly message?: string };

/**
 * An answer GitHub gives instead of the one asked for.
 * https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
 */
export class HttpProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly errors: readonly ProblemDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    message: string,
    errors?: readonly ProblemDetail[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "HttpProblem";
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }

  /** GitHub's JSON body: the status is repeated as a string. */
  toBody(): Record<string, unknown> {
    return {
      message: this.message,
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      documentation_url: "https://docs.github.com/rest",
      status: String(this.status),
    };
  }
}

/** What does not exist and what the caller may not know about look the same. */
export function notFound(message = "Not Found"): HttpProblem {
  return new HttpProblem(404, message);
}

export function forbidden(message: string): HttpProblem {
  return new HttpProblem(403, message);
}

export function unprocessable(message: string, errors?: readonly ProblemDetail[]): HttpProblem {
  return new HttpProblem(422, message, errors);
}

/** 422 "Validation Failed" with the entries GitHub lists. */
export function validationFailed(...errors: readonly ProblemDetail[]): HttpProblem {
  return new HttpProblem(422, "Validation Failed", errors);
}

/** The sentence every App meets when its token lacks a permission. */
export function integrationDenied(): HttpProblem {
  return new HttpProblem(403, "Resource not accessible by integration");
}
