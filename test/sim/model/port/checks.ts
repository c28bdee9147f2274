import type { RepositoryPort } from "../../../../src/github/port.ts";
import { createCheck } from "../checks.ts";
import type { GitHubModel } from "../github-model.ts";
import { formatUrl, type ModelApp } from "../identities.ts";
import { notFound } from "../not-found.ts";
import type { Lag } from "./lag.ts";

type Checks = Pick<RepositoryPort, "loadCheckRuns" | "loadStatuses" | "createCheck" | "updateCheck">;

export function createChecks(model: GitHubModel, lag: Lag, app: ModelApp): Checks {
  const since = (method: string): number => model.time.now() - lag(method);
  return {
    async loadCheckRuns(sha) {
      const at = since("loadCheckRuns");
      return [...model.checks.values()]
        .flatMap((check) => {
          const state = check.sha === sha ? check.timeline.at(at) : undefined;
          if (state === undefined) return [];
          const completedAt = state.status === "completed" ? check.timeline.changedAt : null;
          const { name, externalId, status, conclusion } = state;
          const url = formatUrl("runs", check.id);
          return [
            {
              id: check.id,
              name,
              appId: check.appId,
              externalId,
              status,
              conclusion,
              startedAt: check.createdAt,
              completedAt,
              url,
            },
          ];
        })
        .sort((a, b) => b.id - a.id);
    },
    async loadStatuses(sha) {
      const at = since("loadStatuses");
      return model.statuses
        .filter((status) => status.sha === sha && status.at <= at)
        .map(({ context, state, at: createdAt }) => ({ context, state, createdAt, url: null }))
        .reverse();
    },
    async createCheck(check) {
      const { id } = createCheck(model, app.id, check, since("createCheck"));
      return { id, url: formatUrl("runs", id) };
    },
    async updateCheck(id, check) {
      const made = model.checks.get(id);
      if (made === undefined) throw notFound(`check run ${id}`);
      const { annotations: _, ...rest } = check;
      made.timeline.set(model.time.now(), { ...rest, conclusion: check.conclusion ?? null });
    },
  };
}
