import { createNodeMiddleware, Webhooks } from "@octokit/webhooks";
import { Probot } from "probot";
import type { Receive } from "./receive-delivery.ts";

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
      await receive({ guid: id, event: name, text, payload: parse(text) });
    } catch (error) {
      // The middleware answers with the status of the first.
      throw new AggregateError([error], error instanceof Error ? error.message : "unknown", { cause: error });
    }
  };
  return class ReceivingProbot extends Probot {
    override async getNodeMiddleware(options: { readonly path?: string } = {}) {
      await this.ready();
      return createNodeMiddleware(webhooks, { log: this.log, path: options.path ?? this.webhookPath });
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
  return Object.assign(new Error(message), { status: 400 });
}
