import type { Faults } from "../faults.ts";
import type { ApiContext } from "./api-context.ts";

/** One address for one thing: refs are created below `git/refs` and read below `git/ref`. */
function formatKey(path: string): string {
  const decoded = /%[0-9a-f]{2}/i.test(path) ? decodeURIComponent(path) : path;
  return decoded.replace("/git/refs/", "/git/ref/");
}

function readUrl(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { url, run_url: runUrl } = value as { url?: unknown; run_url?: unknown };
  const found = url ?? runUrl;
  return typeof found === "string" ? new URL(found).pathname : null;
}

/** Makes the next `times` reads miss what this answer says was created. */
export async function hideCreated(
  c: ApiContext,
  faults: Faults,
  strip: (path: string) => string,
  times: number,
): Promise<void> {
  const created: unknown = await c.res
    .clone()
    .json()
    .catch(() => null);
  const path = readUrl(created);
  if (path !== null) faults.hide(formatKey(strip(path)), times);
}

/** True when this read must not find what is there. */
export function isHidden(faults: Faults, path: string): boolean {
  return faults.takeHidden(formatKey(path));
}

/**
 * Lists miss what cannot be read yet, too: probing right after an ambiguous creation finds nothing.
 * https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
 */
export async function omitHidden(c: ApiContext, faults: Faults, strip: (path: string) => string): Promise<void> {
  if (!faults.hiding || c.req.method !== "GET" || c.res.status !== 200) return;
  if (!(c.res.headers.get("content-type") ?? "").startsWith("application/json")) return;
  const keep = (item: unknown): boolean => {
    const path = readUrl(item);
    return path === null || !faults.takeHidden(formatKey(strip(path)));
  };
  const value: unknown = await c.res.clone().json();
  const shown = Array.isArray(value)
    ? value.filter(keep)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, field]: [string, unknown]) => [
            name,
            Array.isArray(field) ? field.filter(keep) : field,
          ]),
        )
      : value;
  c.res = new Response(JSON.stringify(shown), { status: 200, headers: c.res.headers });
}
