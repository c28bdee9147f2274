/** `/healthz`, `/readyz` and `/metrics`: what supervisors and Prometheus ask the process. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Store } from "../../store/port.ts";
import type { Metrics } from "./metrics.ts";

export interface OperatorState {
  /** False while it starts and once it was told to stop. */
  ready: boolean;
}

const STORE_ANSWERS_WITHIN_MS = 2_000;

/** @returns a handler as Probot's server takes it: true when it has answered. */
export function createOperatorPages(
  state: OperatorState,
  store: Pick<Store, "loadSetting">,
  metrics: Metrics,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async (request, response) => {
    if (request.method !== "GET") return false;
    switch (request.url?.split("?")[0]) {
      case "/healthz":
        return answer(response, 200, "ok\n");
      case "/readyz":
        if (!state.ready) return answer(response, 503, "starting or stopping\n");
        return (await answersInTime(store))
          ? answer(response, 200, "ok\n")
          : answer(response, 503, "the database does not answer\n");
      case "/metrics":
        return answer(response, 200, await metrics.render(), metrics.contentType);
      default:
        return false;
    }
  };
}

function answer(response: ServerResponse, status: number, text: string, type = "text/plain"): true {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
  return true;
}

async function answersInTime(store: Pick<Store, "loadSetting">): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), STORE_ANSWERS_WITHIN_MS);
  });
  const asked = store.loadSetting("ready").then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
