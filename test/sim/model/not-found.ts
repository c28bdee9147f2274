import { GitHubFailure } from "../../../src/contracts/errors.ts";

export function notFound(what: string): GitHubFailure {
  return new GitHubFailure("conflict", `GitHub does not find it (any more): ${what}`, { status: 404 });
}
