/** What one request weighs against GitHub's limits. */
export interface RequestCost {
  /** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit */
  readonly points: number;
  readonly contentCreating: boolean;
}

/** Writes that people see: issues, comments, pull requests, reviews and checks. */
const CONTENT = /^\/repos\/[^/]+\/[^/]+\/(issues|pulls|check-runs|check-suites|comments)(\/|$)/;

export function deriveRequestCost(method: string, path: string): RequestCost {
  const reads = method === "GET" || method === "HEAD" || method === "OPTIONS";
  return { points: reads ? 1 : 5, contentCreating: !reads && CONTENT.test(path) };
}

/** The route of a path with names and numbers taken out, for counting. */
export function formatRoute(method: string, path: string): string {
  const route = path
    .replace(/^\/repos\/[^/]+\/[^/]+/, "/repos/{owner}/{repo}")
    .replace(/\/(git\/(?:ref|refs|matching-refs)|contents|branches|rules\/branches|compare)\/.+$/, "/$1/{name}")
    .replace(/\/[0-9a-f]{40}(?=\/|$)/g, "/{sha}")
    .replace(/\/\d+(?=\/|$)/g, "/{id}")
    .replace(/\/labels\/[^/]+$/, "/labels/{name}")
    .replace(/\/collaborators\/[^/]+/, "/collaborators/{username}")
    .replace(/\/actions\/workflows\/[^/]+/, "/actions/workflows/{id}");
  return `${method} ${route}`;
}
