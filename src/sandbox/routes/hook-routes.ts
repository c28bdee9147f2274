import { type ApiRoutes, readNumber } from "../http/api-context.ts";
import { readPage } from "../http/paginate.ts";
import { HttpProblem, notFound } from "../http-problem.ts";
import type { Services } from "../services.ts";
import { formatTime, type Schema } from "../view.ts";
import type { Delivery } from "../webhooks/delivery.ts";

/** Deliveries can be redelivered for three days. https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const REDELIVERY_WINDOW_MS = 3 * 24 * 3600 * 1000;

interface Answer {
  readonly status: string;
  readonly statusCode: number;
  readonly seconds: number;
}

function describeOutcome({ outcome }: Delivery): Answer {
  switch (outcome.kind) {
    case "answered":
      return {
        status: outcome.statusCode < 300 ? "OK" : `Invalid HTTP Response: ${outcome.statusCode}`,
        statusCode: outcome.statusCode,
        seconds: outcome.durationMs / 1000,
      };
    case "failed":
      return { status: outcome.reason, statusCode: 0, seconds: outcome.durationMs / 1000 };
    case "pending":
    case "lost":
      return { status: "pending", statusCode: 0, seconds: 0 };
  }
}

function serializeItem(delivery: Delivery): Schema<"hook-delivery-item"> {
  const { status, statusCode, seconds } = describeOutcome(delivery);
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: formatTime(delivery.createdAt),
    redelivery: delivery.redelivery,
    duration: seconds,
    status,
    status_code: statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

function serializeDelivery(delivery: Delivery): Schema<"hook-delivery"> {
  const answered = delivery.outcome.kind === "answered" ? delivery.outcome : null;
  const item = serializeItem(delivery);
  return {
    ...item,
    id: delivery.id,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    url: "",
    request: { headers: delivery.headers, payload: JSON.parse(delivery.body) as Record<string, unknown> },
    response: { headers: answered?.responseHeaders ?? null, payload: answered?.responseBody ?? null },
  };
}

/** https://docs.github.com/en/rest/apps/webhooks */
export function addHookRoutes(routes: ApiRoutes, services: Services): void {
  const { webhooks, world } = services;
  // What got lost on the way, or is still on it, GitHub does not list.
  const listed = () =>
    webhooks.deliveries.filter(({ outcome }) => outcome.kind === "answered" || outcome.kind === "failed").toReversed();

  routes.use("/app/hook/*", async (c, next) => {
    if (c.get("actor").kind !== "app") throw new HttpProblem(401, "A JSON web token could not be decoded");
    await next();
  });

  routes.get("/app/hook/config", (c) =>
    c.json({ content_type: "json", insecure_ssl: "0", secret: "********", url: webhooks.target ?? "" }),
  );

  routes.get("/app/hook/deliveries", (c) => {
    const { size } = readPage(c);
    const cursor = c.req.query("cursor");
    const status = c.req.query("status");
    const matching = listed().filter(({ outcome }) => {
      const ok = outcome.kind === "answered" && outcome.statusCode < 400;
      return status === undefined || (status === "success" ? ok : !ok);
    });
    const start = cursor === undefined ? 0 : matching.findIndex(({ id }) => `v1_${id}` === cursor);
    const page = start < 0 ? [] : matching.slice(start, start + size);
    const next = start < 0 ? undefined : matching[start + size];
    if (next !== undefined) {
      const url = new URL(c.req.url);
      url.searchParams.set("cursor", `v1_${next.id}`);
      c.header("link", `<${url.href}>; rel="next"`);
    }
    return c.json(page.map(serializeItem));
  });

  routes.get("/app/hook/deliveries/:id", (c) => {
    const id = readNumber(c, "id");
    const delivery = listed().find((candidate) => candidate.id === id);
    if (delivery === undefined) throw notFound();
    return c.json(serializeDelivery(delivery));
  });

  routes.post("/app/hook/deliveries/:id/attempts", (c) => {
    const id = readNumber(c, "id");
    const delivery = listed().find((candidate) => candidate.id === id);
    if (delivery === undefined || world.now() - delivery.createdAt > REDELIVERY_WINDOW_MS) throw notFound();
    webhooks.redeliver(delivery);
    return c.json({}, 202);
  });
}
