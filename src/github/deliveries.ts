import type { InstallationClient } from "./installation-client.ts";
import { PAGE_SIZE } from "./load-pages.ts";
import type { FailedDelivery, GitHubPort } from "./port.ts";

/** Deliveries beyond 20,000 since the last look are left to the sweeps, which look at everything by themselves. */
const maxPages = 200;

export function createDeliveries(client: InstallationClient): Pick<GitHubPort, "loadFailedDeliveries" | "redeliver"> {
  return {
    async loadFailedDeliveries(since) {
      const seen = new Set<string>();
      const failed: FailedDelivery[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const { data, headers } = await client.send("GET /app/hook/deliveries", {
          per_page: PAGE_SIZE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const delivery of data) {
          const deliveredAt = Date.parse(delivery.delivered_at);
          if (deliveredAt < since) return failed;
          // Newest first, and a redelivery has the same GUID: its first entry is its newest try.
          if (seen.has(delivery.guid)) continue;
          seen.add(delivery.guid);
          if (delivery.status_code >= 200 && delivery.status_code < 300) continue;
          // Octokit reads an id beyond 2^53 as bigint, whatever its types say.
          failed.push({ id: String(delivery.id), guid: delivery.guid, event: delivery.event, deliveredAt });
        }
        cursor = readCursor(headers.link);
        if (cursor === undefined) break;
      }
      return failed;
    },
    async redeliver(id) {
      await client.send("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
    },
  };
}

/** Deliveries have no page numbers, only a cursor in the link to the next page. */
function readCursor(link: string | undefined): string | undefined {
  const next = /<([^>]+)>;\s*rel="next"/u.exec(link ?? "")?.[1];
  if (next === undefined || !URL.canParse(next)) return undefined;
  return new URL(next).searchParams.get("cursor") ?? undefined;
}
