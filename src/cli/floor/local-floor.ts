/** The floor of a local commit, computed as the App does it: captures of both ends, then the gates. */
import type { Captures } from "../../contracts/captures.ts";
import type { Config } from "../../contracts/config.ts";
import type { FloorResult } from "../../contracts/floor-result.ts";
import { computeFloor } from "../../floor/compute-floor.ts";
import type { ExpectedCheck, FloorInput, FloorScope } from "../../floor/floor-input.ts";
import { gatherCaptures } from "../../worker/capture/gather-captures.ts";
import { createCheckout, listChanges, listTree } from "./git-view.ts";

export interface LocalRequest {
  readonly root: string;
  /** What the change is measured against. */
  readonly base: string;
  readonly head: string;
  readonly config: Config;
  readonly scope: FloorScope | null;
  readonly checks: readonly ExpectedCheck[];
  /** Captures of `base` from an earlier run. */
  readonly baseline?: Captures;
  readonly signal?: AbortSignal;
  /** Told before each longer step. */
  readonly progress?: (step: string) => void;
}

export interface LocalFloor {
  readonly result: FloorResult;
  readonly baseline: Captures;
  readonly captures: Captures;
}

/** Captures one commit in a checkout of its own. */
export async function captureCommit(
  request: Pick<LocalRequest, "root" | "config" | "signal">,
  commit: string,
  checks: readonly ExpectedCheck[],
  reruns = 0,
): Promise<Captures> {
  const checkout = await createCheckout(request.root, commit);
  try {
    return await gatherCaptures({
      root: checkout.root,
      commit,
      config: request.config.floor,
      plannedChecks: checks,
      testReruns: reruns,
      signal: request.signal,
    });
  } finally {
    await checkout.remove();
  }
}

/** Captures both ends, and the base again where a test that passed there fails now: it may be flaky. */
export async function computeLocalFloor(request: LocalRequest): Promise<LocalFloor> {
  const { base, head, config, progress = () => undefined } = request;
  let { baseline } = request;
  if (baseline === undefined) {
    progress(`capturing the base ${base.slice(0, 10)}`);
    baseline = await captureCommit(request, base, []);
  }
  progress(`capturing ${head.slice(0, 10)}`);
  const captures = await captureCommit(request, head, request.checks);
  const input = await buildInput(request, captures, baseline);
  const first = computeFloor(input);
  const reruns = config.floor.flaky_reruns;
  const suspicious = first.violations.some(({ gate, rule }) => gate === 2 && rule === "regression");
  if (!suspicious || reruns === 0 || baseline.tests?.reruns !== undefined) return { result: first, baseline, captures };
  progress(`running the base's tests ${reruns} more times: a test that fails there by chance is nobody's fault`);
  const again = await captureCommit(request, base, [], reruns);
  return { result: computeFloor({ ...input, baseline: again }), baseline: again, captures };
}

export async function buildInput(
  request: Pick<LocalRequest, "root" | "base" | "head" | "config" | "scope" | "checks">,
  captures: Captures,
  baseline: Captures,
): Promise<FloorInput> {
  const { root, base, head, config, scope, checks } = request;
  return {
    subject: "chunk",
    commit: head,
    captures,
    baseline,
    tip: null,
    base: null,
    scope,
    changes: await listChanges(root, base, head),
    treePaths: await listTree(root, head),
    expectedChecks: checks,
    config: config.floor,
    protectedPatterns: config.protected,
    ci: null,
  };
}
