import type { RunRequest } from "../runner-host.ts";

/** What to fetch and what to check out. */
export interface CheckoutSource {
  /** The output `ref`. */
  readonly ref: string;
  readonly refspecs: readonly string[];
  /** What the first candidate must point at; null: at whatever the server has. */
  readonly commit: string | null;
  /** The first that exists after the fetch is checked out. */
  readonly candidates: readonly CheckoutCandidate[];
}

export interface CheckoutCandidate {
  /** The local branch to create; null checks out detached. */
  readonly branch: string | null;
  /** Where the branch or the detached head starts. */
  readonly start: string;
}

const shaPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Without `ref`, the event's own commit on its own ref; otherwise a full ref, a commit, or a short
 * name, which is a branch before it is a tag.
 */
export function deriveCheckoutSource(input: string, request: RunRequest): CheckoutSource {
  if (input === "" || input === request.ref) return deriveRefSource(request.ref, request.sha);
  if (shaPattern.test(input))
    return { ref: "", refspecs: [input], commit: input, candidates: [{ branch: null, start: input }] };
  if (input.startsWith("refs/")) return deriveRefSource(input, null);
  // The patterns let the fetch succeed when only one of the two exists.
  return {
    ref: input,
    refspecs: [`+refs/heads/${input}*:refs/remotes/origin/${input}*`, `+refs/tags/${input}*:refs/tags/${input}*`],
    commit: null,
    candidates: [
      { branch: input, start: `refs/remotes/origin/${input}` },
      { branch: null, start: `refs/tags/${input}` },
    ],
  };
}

function deriveRefSource(ref: string, sha: string | null): CheckoutSource {
  const from = sha ?? ref;
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (branch !== undefined) {
    const tracking = `refs/remotes/origin/${branch}`;
    return { ref, refspecs: [`+${from}:${tracking}`], commit: sha, candidates: [{ branch, start: tracking }] };
  }
  const pull = /^refs\/pull\/(.+)$/.exec(ref)?.[1];
  const local = pull === undefined ? ref : `refs/remotes/pull/${pull}`;
  return { ref, refspecs: [`+${from}:${local}`], commit: sha, candidates: [{ branch: null, start: local }] };
}
