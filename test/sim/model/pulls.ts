/** Pull requests, from opened to closed. */
import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { Actor } from "../../../src/github/port.ts";
import type { GitHubModel } from "./github-model.ts";
import { APP } from "./identities.ts";
import { notFound } from "./not-found.ts";
import type { ModelPull, PullState } from "./things.ts";
import { Timeline } from "./timeline.ts";

/** @param seen the time (ms) up to which whatever judges it has heard of pushes. */
export function createPull(
  model: GitHubModel,
  author: Actor,
  pull: { head: string; base: string; title: string; body: string; draft: boolean },
  seen = model.time.now(),
): ModelPull {
  const head = model.head(pull.head);
  const shownHead = model.refs.get(pull.head)?.at(seen) ?? null;
  const shownBase = model.refs.get(pull.base)?.at(seen) ?? null;
  if (head === null || shownHead === null) throw refuse("PullRequest head invalid");
  if (model.head(pull.base) === null || shownBase === null) throw refuse("PullRequest base invalid");
  for (const other of model.pulls.values())
    if (other.timeline.now.state === "open" && other.head === pull.head && other.base === pull.base)
      throw new GitHubFailure("conflict", "It exists already. GitHub says: A pull request already exists", {
        status: 422,
      });
  if (model.git.isAncestor(shownHead, shownBase)) throw refuse(`No commits between ${pull.base} and ${pull.head}`);
  const number = model.nextNumber();
  const at = model.time.now();
  const { title, body, draft } = pull;
  const state: PullState = {
    title,
    body,
    state: "open",
    merged: false,
    mergeCommit: null,
    mergedAt: null,
    draft,
    headSha: head,
  };
  const created: ModelPull = {
    number,
    nodeId: `PR_${number}`,
    head: pull.head,
    base: pull.base,
    createdAt: at,
    author,
    timeline: new Timeline(at, state),
  };
  model.pulls.set(number, created);
  model.hooks.happened({ kind: "pull", at, pull: created });
  model.hooks.emit("pull_request", model.payload(author, { action: "opened", ...buildPullPayload(created) }));
  return created;
}

function refuse(why: string): GitHubFailure {
  return new GitHubFailure("terminal", `GitHub refuses (422): Validation Failed; ${why}`, { status: 422 });
}

export function changePull(
  model: GitHubModel,
  number: number,
  by: Actor,
  action: string,
  change: Partial<PullState>,
): void {
  const pull = model.pulls.get(number);
  if (pull === undefined) throw notFound(`pull request ${number}`);
  pull.timeline.set(model.time.now(), { ...pull.timeline.now, ...change });
  model.hooks.emit("pull_request", model.payload(by, { action, ...buildPullPayload(pull) }));
}

/** A base that contains a pull request's head marks it merged, some time later. */
export function noticeMerge(model: GitHubModel, pull: ModelPull): void {
  const base = model.head(pull.base);
  if (base === null || !model.git.isAncestor(pull.timeline.now.headSha, base)) return;
  const merged = base;
  model.time.after(model.hooks.mergeDelay(pull.number), () => {
    const { state, headSha } = pull.timeline.now;
    if (state !== "open" || !model.git.isAncestor(headSha, merged)) return;
    const mergedAt = model.time.now();
    changePull(model, pull.number, APP, "closed", { state: "closed", merged: true, mergeCommit: merged, mergedAt });
  });
}

export function buildPullPayload(pull: ModelPull): object {
  return { pull_request: { number: pull.number, head: { ref: pull.head }, merged: pull.timeline.now.merged } };
}
