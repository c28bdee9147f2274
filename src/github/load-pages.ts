import { GitHubFailure } from "../contracts/errors.ts";
import type { Answer, RestRoute, SendOptions } from "./installation-client.ts";
import type { RepositoryClient } from "./repository-client.ts";

/** The most GitHub gives per page. */
export const PAGE_SIZE = 100;

/** A longer list is no list we can work with, and half a list would be a lie. */
const maxPages = 100;

/**
 * Every page of a list, in order. The header says whether there is another page: a page may be
 * short for other reasons.
 */
export async function loadPages<R extends RestRoute>(
  client: RepositoryClient,
  route: R,
  parameters: object,
  options?: SendOptions,
): Promise<ReadonlyArray<Answer<R>>> {
  const pages: Array<Answer<R>> = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await client.send(route, { ...parameters, per_page: PAGE_SIZE, page }, options);
    pages.push(answer);
    if (!hasNextPage(answer)) return pages;
  }
  throw new GitHubFailure("terminal", `GitHub's list has more than ${maxPages * PAGE_SIZE} entries.`, {
    request: route,
  });
}

export function hasNextPage(answer: { readonly headers: { readonly link?: string } }): boolean {
  return /rel="next"/u.test(answer.headers.link ?? "");
}
