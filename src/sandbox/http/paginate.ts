import type { ApiContext } from "./api-context.ts";

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

function readCount(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : fallback;
}

/** `page` and `per_page`: 30 by default, 100 at most. */
export function readPage(c: ApiContext): Page {
  return {
    number: readCount(c.req.query("page"), 1),
    size: Math.min(100, readCount(c.req.query("per_page"), 30)),
  };
}

/**
 * Cuts out the page that was asked for and says in the Link header where the others are.
 * https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function paginate<Item>(c: ApiContext, items: readonly Item[]): readonly Item[] {
  const page = readPage(c);
  const last = Math.max(1, Math.ceil(items.length / page.size));
  const address = (number: number) => {
    const url = new URL(c.req.url);
    url.searchParams.set("page", String(number));
    return url.href;
  };
  const links: string[] = [];
  if (page.number > 1) links.push(`<${address(page.number - 1)}>; rel="prev"`);
  if (page.number < last) links.push(`<${address(page.number + 1)}>; rel="next"`, `<${address(last)}>; rel="last"`);
  if (page.number > 1) links.push(`<${address(1)}>; rel="first"`);
  if (links.length > 0) c.header("link", links.join(", "));
  return items.slice((page.number - 1) * page.size, page.number * page.size);
}
