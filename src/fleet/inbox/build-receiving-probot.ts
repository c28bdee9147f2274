import { createNodeMiddleware, Webhooks } from "@octokit/webhooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Probot } from "probot";
import { BodyBudget } from "./body-budget.ts";
import { readBody } from "./read-body.ts";
import type { Receive } from "./receive-delivery.ts";

/** Deliveries have 25 MB at most, and nearly all some kilobytes. */
const BODIES_AT_ONCE = 64 * 1024 * 1024;
/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const LARGEST_BODY = 25 * 1024 * 1024;
/** GitHub waits so long for an answer: who takes longer to send would not hear it. */
const SENT_WITHIN_MS = 10_000;
/**
 * The middleware answers by itself, with success, when this is over. It must never come to that: what is not
 * stored in time has failed (storeInTime), and only what failed is asked for again.
 */
const NEVER_ANSWERED_UNSTORED_MS = 60_000;

/**
 * Probot, whose webhooks go to one place, each with its text: Probot's own handlers are given an event that
 * is parsed and has an authenticated client made for it, which costs more than storing it does. Paths,
 * headers and answers stay those of @octokit/webhooks.
 */
export function buildReceivingProbot(secret: string, receive: Receive): typeof Probot {
  const webhooks = new Webhooks({ secret });
  webhooks.verifyAndReceive = async ({ id, name, payload: text, signature }) => {
    try {
      if (!(await webhooks.verify(text, signature).catch(() => false))) throw refuse("The signature does not match.");
      const payload = parse(text);
      await receive({ guid: id, event: name, text, payload }).catch((error: unknown) => {
        // Whatever kept it from being stored is no fault of the delivery, which is to come again.
        throw withStatus(503, error instanceof Error ? error.message : "unknown", error);
      });
    } catch (error) {
      // The middleware answers with the first.
      throw new AggregateError([error], error instanceof Error ? error.message : "unknown", { cause: error });
    }
  };
  return class ReceivingProbot extends Probot {
    override async getNodeMiddleware(options: { readonly path?: string } = {}) {
      await this.ready();
      const handle = createNodeMiddleware(webhooks, {
        log: this.log,
        path: options.path ?? this.webhookPath,
        timeout: NEVER_ANSWERED_UNSTORED_MS,
      });
      return withinBudget(handle, new BodyBudget(BODIES_AT_ONCE));
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse("Invalid JSON");
  }
}

function refuse(message: string): Error {
  return withStatus(400, message);
}

/** The middleware answers with the status. */
function withStatus(status: number, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { status });
}

type Handle = ReturnType<typeof createNodeMiddleware>;

/** The middleware is given the body with the request, as it is where a platform has read it before. */
function withinBudget(handle: Handle, budget: BodyBudget): Handle {
  return async (...given) => {
    const [request, response] = given as [IncomingMessage, ServerResponse];
    // Without a signature the middleware reads nothing and refuses.
    if (request.method !== "POST" || request.headers["x-hub-signature-256"] === undefined) return handle(...given);
    const share = budget.open();
    if (request.destroyed) share.close();
    else response.once("close", () => share.close());
    const read = await readBody(request, share, { bytes: LARGEST_BODY, ms: SENT_WITHIN_MS });
    switch (read.outcome) {
      case "read":
        Object.assign(request, { body: {}, rawBody: read.body });
        return handle(...given);
      case "too large":
        return answer(response, 413, "A delivery has 25 MB at most.\n");
      case "too slow":
        return answer(response, 408, "The body did not arrive within 10 seconds.\n");
      case "aborted":
        return true;
    }
  };
}

function answer(response: ServerResponse, status: number, text: string): true {
  // What is left of the body is not waited for.
  response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(text);
  return true;
}
