import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { Pull, RepositoryPort } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { formatUrl, type ModelApp } from "../identities.ts";
import { mergePull } from "../merge-pull.ts";
import { notFound } from "../not-found.ts";
import { changePull, createPull } from "../pulls.ts";
import type { ModelPull } from "../things.ts";
import type { Lag } from "./lag.ts";

type Pulls = Pick<
  RepositoryPort,
  "loadPull" | "loadPullsByHead" | "loadOpenPulls" | "createPull" | "updatePull" | "markReady" | "mergePull"
>;

export function createPulls(model: GitHubModel, lag: Lag, app: ModelApp): Pulls {
  const since = (method: string): number => model.time.now() - lag(method);
  const listPulls = (at: number, test: (pull: Pull) => boolean): readonly Pull[] =>
    [...model.pulls.values()]
      .flatMap((pull) => {
        const seen = viewPull(model, pull, at);
        return seen !== null && test(seen) ? [seen] : [];
      })
      .reverse();
  return {
    async loadPull(number, wanted) {
      const pull = model.pulls.get(number);
      const seen = pull === undefined ? null : viewPull(model, pull, since("loadPull"));
      if (pull === undefined || seen === null) throw notFound(`pull request ${number}`);
      // The commit of the merge is an event's to name, and that may be late by itself.
      const named = wanted === "state" ? null : (pull.timeline.at(since("loadPullEvents"))?.mergeCommit ?? null);
      return { ...seen, mergeCommit: seen.merged ? named : null };
    },
    async loadPullsByHead(branch) {
      return listPulls(since("loadPullsByHead"), (pull) => pull.head.ref === branch);
    },
    async loadOpenPulls() {
      return listPulls(since("loadOpenPulls"), (pull) => pull.state === "open");
    },
    async createPull(pull) {
      const made = createPull(model, app.actor, pull, since("createPull"));
      const seen = viewPull(model, made, model.time.now());
      if (seen === null) throw new Error("a pull request that was just made is seen");
      return seen;
    },
    async updatePull(number, change) {
      const pull = model.pulls.get(number);
      if (pull === undefined) throw notFound(`pull request ${number}`);
      const closes = change.state === "closed" && pull.timeline.now.state === "open";
      const { title, body } = change;
      changePull(model, number, app.actor, closes ? "closed" : "edited", {
        ...(title === undefined ? {} : { title }),
        ...(body === undefined ? {} : { body }),
        ...(closes ? { state: "closed" as const } : {}),
      });
    },
    async markReady(nodeId) {
      const pull = [...model.pulls.values()].find((entry) => entry.nodeId === nodeId);
      if (pull === undefined) throw notFound("the pull request");
      changePull(model, pull.number, app.actor, "ready_for_review", { draft: false });
    },
    async mergePull(number, { sha, method, title, message }) {
      const pull = model.pulls.get(number);
      if (pull === undefined) throw notFound(`pull request ${number}`);
      if (pull.timeline.now.headSha !== sha)
        throw new GitHubFailure("conflict", "The branch has moved. GitHub says: Head branch was modified", {
          status: 409,
        });
      return mergePull(model, number, app.actor, { method, message: `${title}\n\n${message}` });
    },
  };
}

function viewPull(model: GitHubModel, pull: ModelPull, at: number): Pull | null {
  const state = pull.timeline.at(at);
  if (state === undefined) return null;
  const base = model.refs.get(pull.base)?.at(at) ?? model.head(pull.base) ?? state.headSha;
  return {
    number: pull.number,
    nodeId: pull.nodeId,
    state: state.state,
    merged: state.merged,
    mergeCommit: state.mergeCommit,
    mergedAt: state.mergedAt,
    draft: state.draft,
    mergeable: null,
    head: { ref: pull.head, sha: state.headSha },
    base: { ref: pull.base, sha: base },
    title: state.title,
    body: state.body,
    url: formatUrl("pull", pull.number),
  };
}
