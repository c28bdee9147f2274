/** The two reads a worker makes of GitHub's REST API; not worth a client library in the bundle. */

export interface RestClient {
  /** @returns the response, whatever its status below 500. @throws Error when no answer came after all tries. */
  readonly get: (route: string, accept: string) => Promise<Response>;
}

const tries = 4;

/** @param wait milliseconds before the second try, doubled for each further one. */
export function createRestClient(apiUrl: string, token: string, wait = 500): RestClient {
  return {
    async get(route, accept) {
      let problem = "no answer";
      for (let attempt = 0; attempt < tries; attempt += 1) {
        if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, wait * 2 ** (attempt - 1)));
        try {
          const response = await fetch(`${apiUrl}${route}`, {
            headers: {
              accept,
              authorization: `Bearer ${token}`,
              "user-agent": "taskfleet-worker",
              "x-github-api-version": "2022-11-28",
            },
            signal: AbortSignal.timeout(30_000),
          });
          // A fresh token may be refused for some seconds, so 401 and 403 are tried again too.
          if (response.ok || (response.status < 500 && ![401, 403, 404, 429].includes(response.status)))
            return response;
          problem = `status ${response.status}`;
          await response.body?.cancel();
          if (attempt === tries - 1) return new Response(null, { status: response.status });
        } catch (error) {
          problem = error instanceof Error ? error.message : "network failure";
        }
      }
      throw new Error(`GET ${route}: ${problem}`);
    },
  };
}
