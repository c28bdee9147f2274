import { deriveRequestCost, formatRoute } from "./request-cost.ts";

export interface RequestCount {
  total: number;
  /** Answered 304: free of the primary limit. */
  notModified: number;
  contentCreating: number;
  points: number;
  /** By method and route template. */
  readonly byRoute: Record<string, number>;
}

function createCount(): RequestCount {
  return { total: 0, notModified: 0, contentCreating: 0, points: 0, byRoute: {} };
}

/** Counts API requests: of everybody, and of the App's own tokens and JWTs. */
export class RequestCounters {
  readonly all = createCount();
  readonly app = createCount();

  count(request: {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly byApp: boolean;
  }): void {
    const cost = deriveRequestCost(request.method, request.path);
    const route = formatRoute(request.method, request.path);
    for (const count of request.byApp ? [this.all, this.app] : [this.all]) {
      count.total += 1;
      count.notModified += request.status === 304 ? 1 : 0;
      count.contentCreating += cost.contentCreating ? 1 : 0;
      count.points += cost.points;
      count.byRoute[route] = (count.byRoute[route] ?? 0) + 1;
    }
  }
}
