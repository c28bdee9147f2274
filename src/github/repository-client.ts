/** Requests about one repository, wherever it is called by now, with what a 404 is worth. */
import { GitHubFailure } from "../contracts/errors.ts";
import type { Clock } from "./clock.ts";
import type { Answer, InstallationClient, RestRoute, SendOptions } from "./installation-client.ts";
import type { RepositoryRef } from "./port.ts";
import type { RecentThings } from "./recent-things.ts";

export interface RepositoryClient {
  readonly ref: RepositoryRef;
  readonly apiVersion: InstallationClient["apiVersion"];
  /** Owner and name as they are now, as far as we know. */
  readonly address: () => { readonly owner: string; readonly repo: string };
  /** For effects and for reads of what must be there. @throws GitHubFailure dormant when the repository is gone. */
  send<R extends RestRoute>(route: R, parameters: object, options?: SendOptions): Promise<Answer<R>>;
  sendGraphql: InstallationClient["sendGraphql"];
  /** A read of what may not be there: null after a 404 that is believed. */
  find<R extends RestRoute>(route: R, parameters: object, options?: FindOptions): Promise<Answer<R> | null>;
  /** The repository by its id, whatever it is called. @throws GitHubFailure dormant when it is gone. */
  loadById(): Promise<Answer<"GET /repos/{owner}/{repo}">>;
  /** Something was created: a 404 on it is not believed for a while. */
  remember(thing: string): void;
}

export interface FindOptions extends SendOptions {
  /**
   * What is read, by the name it was {@link RepositoryClient.remember}ed with; `always` when we
   * have reason to believe that it is there (somebody named it: a webhook, a fact).
   */
  readonly patience?: "always" | { readonly for: string };
}

export interface RepositoryClientOptions {
  readonly ref: RepositoryRef;
  readonly client: InstallationClient;
  readonly clock: Clock;
  readonly recent: RecentThings;
  /** Pauses before a 404 is believed, in ms (404 just after creation, for seconds). */
  readonly missingPausesMs: readonly number[];
}

/** An answer this young proves that the repository is there and ours to see. */
const proofMs = 60_000;

export function createRepositoryClient(options: RepositoryClientOptions): RepositoryClient {
  const { client, clock, ref, recent } = options;
  let address = { owner: ref.owner, repo: ref.name };
  let provenAt = Number.NEGATIVE_INFINITY;

  async function sendHere<R extends RestRoute>(route: R, parameters: object, sendOptions?: SendOptions) {
    const answer = await client.send(route, { ...address, ...parameters }, sendOptions);
    provenAt = clock.now();
    return answer;
  }

  /** Follows a rename or transfer by the repository's id; reads are redirected by themselves. */
  async function sendAnywhere<R extends RestRoute>(route: R, parameters: object, sendOptions?: SendOptions) {
    try {
      return await sendHere(route, parameters, sendOptions);
    } catch (error) {
      if (!isMoved(error)) throw error;
      address = await findAddress(client, ref);
      return sendHere(route, parameters, sendOptions);
    }
  }

  /** A 404 says nothing when the whole repository is out of sight. */
  async function provePresence(): Promise<void> {
    if (clock.now() - provenAt < proofMs) return;
    address = await findAddress(client, ref);
    provenAt = clock.now();
  }

  return {
    ref,
    apiVersion: client.apiVersion,
    address: () => address,
    sendGraphql: (query, variables) => client.sendGraphql(query, variables),
    async send(route, parameters, sendOptions) {
      try {
        return await sendAnywhere(route, parameters, sendOptions);
      } catch (error) {
        if (isMissing(error)) await provePresence();
        throw error;
      }
    },
    async find(route, parameters, findOptions = {}) {
      const { patience, ...sendOptions } = findOptions;
      const patient = patience === "always" || (patience !== undefined && recent.has(`${ref.id} ${patience.for}`));
      const pauses = patient ? options.missingPausesMs : [];
      for (const pause of [...pauses, null]) {
        try {
          return await sendAnywhere(route, parameters, sendOptions);
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
        if (pause !== null) await clock.sleep(pause);
      }
      await provePresence();
      return null;
    },
    loadById: () => loadById(client, ref),
    remember: (thing) => recent.add(`${ref.id} ${thing}`),
  };
}

/**
 * Asks by id, since a name may belong to somebody else by now. The route is not documented, but it is
 * the one GitHub redirects to (docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects).
 */
async function loadById(client: InstallationClient, ref: RepositoryRef): Promise<Answer<"GET /repos/{owner}/{repo}">> {
  try {
    return await client.send("GET /repos/{owner}/{repo}", { url: "/repositories/{id}", id: ref.id });
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new GitHubFailure("dormant", `Repository ${ref.owner}/${ref.name} is gone or no longer ours to see.`, {
      status: 404,
    });
  }
}

async function findAddress(client: InstallationClient, ref: RepositoryRef): Promise<{ owner: string; repo: string }> {
  const { data } = await loadById(client, ref);
  return { owner: data.owner.login, repo: data.name };
}

/** Nothing is there, or not yet. What GitHub says in words under the same status is no such thing. */
function isMissing(error: unknown): boolean {
  return error instanceof GitHubFailure && error.details.status === 404 && error.kind !== "terminal";
}

function isMoved(error: unknown): boolean {
  return error instanceof GitHubFailure && [301, 302, 307, 308].includes(error.details.status ?? 0);
}
