/** The port over the model: what GitHub answers, without any fault of its own. Split as `src/github` is. */
import type { RepositoryPort } from "../../../src/github/port.ts";
import type { TrackerPort } from "../../../src/github/tracker-port.ts";
import type { GitHubModel } from "./github-model.ts";
import { type ModelApp, REPOSITORY, TASKFLEET } from "./identities.ts";
import { createActions } from "./port/actions.ts";
import { createBranches } from "./port/branches.ts";
import { createChecks } from "./port/checks.ts";
import { createGitData } from "./port/git-data.ts";
import { createIssues } from "./port/issues.ts";
import { type Lag, NO_LAG } from "./port/lag.ts";
import { createPulls } from "./port/pulls.ts";
import { createRepositoryReads } from "./port/repository-reads.ts";
import { createReviews } from "./port/reviews.ts";

/** No scenario shows its chunks in a tracker. */
const refuse = (): Promise<never> => Promise.reject(new Error("the model has no tracker"));
const NO_TRACKER: TrackerPort = {
  loadSubIssues: refuse,
  loadOwnIssues: refuse,
  attachSubIssue: refuse,
  createSubIssue: refuse,
  updateSubIssue: refuse,
  loadBlockers: refuse,
  addBlocker: refuse,
  removeBlocker: refuse,
};

export function createModelPort(model: GitHubModel, app: ModelApp = TASKFLEET, lag: Lag = NO_LAG): RepositoryPort {
  return {
    ref: REPOSITORY,
    tracker: NO_TRACKER,
    ...createRepositoryReads(model),
    ...createIssues(model, lag, app),
    ...createPulls(model, lag, app),
    ...createReviews(model, lag, app),
    ...createChecks(model, lag, app),
    ...createGitData(model, lag),
    ...createBranches(model, lag),
    ...createActions(model, lag),
  };
}
