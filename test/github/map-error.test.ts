import { describe, expect, it } from "@jest/globals";
import { RequestError } from "@octokit/request-error";
import { mapError } from "../../src/github/map-error.ts";
import type { Route } from "../../src/github/operations.ts";
import { redact } from "../../src/github/redact.ts";
import { TOKEN } from "./stage-parts.ts";

const now = Date.parse("2026-11-30T12:00:00Z");
const comment: Route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
const merge: Route = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";
const read: Route = "GET /repos/{owner}/{repo}/git/ref/{ref}";

function answer(status: number, message: string, headers: Record<string, string> = {}): RequestError {
  return new RequestError(message, status, {
    request: {
      method: "POST",
      url: `https://api.github.com/repos/o/r/x?token=${TOKEN}`,
      headers: { authorization: TOKEN },
    },
    response: { status, url: "", headers, data: { message } },
  });
}

describe("what GitHub's answer means", () => {
  it.each<[status: number, message: string, route: Route, kind: string]>([
    [422, "Update is not a fast forward", comment, "conflict"],
    [422, "Reference already exists", comment, "conflict"],
    [422, "Reference does not exist", comment, "conflict"],
    [422, "Validation Failed; A pull request already exists for o:x.", comment, "conflict"],
    [409, "Head branch was modified. Review and try the merge again.", merge, "conflict"],
    [405, "Base branch was modified. Review and try the merge again.", merge, "conflict"],
    [405, "Pull Request is not mergeable", merge, "conflict"],
    [405, "Merge commits are not allowed on this repository.", merge, "terminal"],
    [405, "At least 1 approving review is required by reviewers with write access.", merge, "terminal"],
    [405, 'Required status check "ci" is expected.', merge, "terminal"],
    [405, "Changes must be made through the merge queue", merge, "terminal"],
    [405, "Repository rule violations found", merge, "terminal"],
    [
      422,
      "Repository rule violations found; Cannot create ref due to creations being restricted.",
      comment,
      "misconfigured",
    ],
    [422, "Required status checks are expected on the protected branch", comment, "misconfigured"],
    [422, "Workflow does not have 'workflow_dispatch' trigger", comment, "misconfigured"],
    [422, 'Unexpected inputs provided: ["job"]', comment, "misconfigured"],
    [422, "Required input 'role' not provided", comment, "misconfigured"],
    [422, "No ref found for: x", comment, "conflict"],
    [
      403,
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
      comment,
      "misconfigured",
    ],
    [403, "Resource not accessible by integration", comment, "misconfigured"],
    [403, "Repository was archived so is read-only.", comment, "dormant"],
    [403, "This installation has been suspended", comment, "dormant"],
    [403, "Repository access blocked", comment, "dormant"],
    [451, "Repository unavailable due to DMCA takedown.", comment, "dormant"],
    [410, "This issue was deleted", comment, "conflict"],
    [410, "Gone", comment, "dormant"],
    [403, "Unable to create comment because issue is locked.", comment, "terminal"],
    [422, "Validation Failed; body is too long", comment, "terminal"],
    [404, "Not Found", read, "conflict"],
    [401, "Bad credentials", read, "transient"],
    [401, "A JSON web token could not be decoded", "GET /app", "misconfigured"],
    [502, "Server Error", read, "transient"],
    [501, "not implemented", read, "terminal"],
    [409, "Git Repository is empty.", read, "misconfigured"],
  ])("%i %s on %s is %s", (status, message, route, kind) => {
    expect(mapError(answer(status, message), route, now).kind).toBe(kind);
  });

  it.each<[headers: Record<string, string>, status: number, message: string, waits: number]>([
    [{ "retry-after": "30" }, 403, "You have exceeded a secondary rate limit", 30_000],
    [{}, 403, "You have exceeded a secondary rate limit. Please wait a few minutes.", 60_000],
    [{}, 429, "Too many requests", 60_000],
    [
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 90) },
      403,
      "API rate limit exceeded",
      91_000,
    ],
  ])("a limit with %o says how long to wait", (headers, status, message, waits) => {
    const failure = mapError(answer(status, message, headers), comment, now);
    expect(failure).toMatchObject({ kind: "transient", details: { retryAfterMs: waits } });
    expect(failure.details.ambiguous).toBeUndefined();
  });

  it("an effect that the server failed in may have happened, a read cannot have", () => {
    expect(mapError(answer(502, "Server Error"), comment, now).details.ambiguous).toBe(true);
    expect(mapError(answer(502, "Server Error"), read, now).details.ambiguous).toBe(false);
  });

  it.each([
    ["ECONNRESET", true],
    ["UND_ERR_SOCKET", true],
    ["ECONNREFUSED", false],
    ["ENOTFOUND", false],
    ["UND_ERR_CONNECT_TIMEOUT", false],
  ])("an effect that ended with %s may have happened: %s", (code, ambiguous) => {
    const error = new RequestError("fetch failed", 500, {
      request: { method: "POST", url: "https://api.github.com/x", headers: {} },
    });
    error.cause = new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
    expect(mapError(error, comment, now)).toMatchObject({ kind: "transient", details: { ambiguous } });
  });

  it.each([
    [403, "This installation has been suspended", "dormant"],
    [404, "Not Found", "dormant"],
    [401, "'Issuer' claim ('iss') must be an Integer", "misconfigured"],
  ])("a token refused with %i %s is %s", (status, message, kind) => {
    const failure = mapError(tokenRefusal(status, message), comment, now);
    expect(failure).toMatchObject({ kind });
    expect(failure.details.ambiguous).toBeUndefined();
  });

  it("errors inside a successful GraphQL answer are errors", () => {
    const graphql = (type: string) =>
      Object.assign(new Error("Request failed"), { name: "GraphqlResponseError", errors: [{ type, message: "no" }] });
    expect(mapError(graphql("NOT_FOUND"), "POST /graphql", now).kind).toBe("conflict");
    expect(mapError(graphql("FORBIDDEN"), "POST /graphql", now).kind).toBe("misconfigured");
    expect(mapError(graphql("RATE_LIMITED"), "POST /graphql", now).kind).toBe("transient");
    expect(mapError(graphql("UNPROCESSABLE"), "POST /graphql", now).kind).toBe("terminal");
  });

  it("a bug of ours is thrown as it is", () => {
    expect(() => mapError(new TypeError("x is undefined"), read, now)).toThrow(TypeError);
  });

  it("keeps tokens out of the message and out of everything that is printed with it", () => {
    const failure = mapError(
      answer(422, `Bad body: Bearer ${TOKEN} and https://x-access-token:${TOKEN}@github.com`),
      comment,
      now,
    );
    expect(JSON.stringify([failure.message, failure.stack, failure.details])).not.toContain(TOKEN.slice(0, 30));
    expect(failure.cause).toBeUndefined();
    expect(failure.details.request).toBe("POST /repos/o/r/x");
  });
});

function tokenRefusal(status: number, message: string): RequestError {
  return new RequestError(message, status, {
    request: { method: "POST", url: "https://api.github.com/app/installations/5/access_tokens", headers: {} },
    response: { status, url: "", headers: {}, data: { message } },
  });
}

describe("redaction", () => {
  it.each([
    [TOKEN],
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345"],
    ["github_pat_11AAAA0000abcdefgh_abcdefghijkl"],
    ["eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOjd9.c2lnbmF0dXJl"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"],
  ])("removes %s", (secret) => {
    const text = redact(`before ${secret} after`);
    expect(text).not.toContain(secret.slice(0, 20));
    expect(text).toMatch(/^before .* after$/su);
  });

  it("leaves commits, branches and sentences alone", () => {
    const text = "Commit 0123456789abcdef0123456789abcdef01234567 on taskfleet/7-x/chunk/api, token expired";
    expect(redact(text)).toBe(text);
  });
});
