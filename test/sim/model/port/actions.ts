import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { JobId } from "../../../../src/contracts/ids.ts";
import { RESULT_ARTIFACT } from "../../../../src/contracts/job.ts";
import { formatRunName, parseRunName, WORKFLOW_PATH } from "../../../../src/contracts/names.ts";
import type { RepositoryPort, WorkflowRun } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { formatUrl } from "../identities.ts";
import { createRun, endRun } from "../runs.ts";
import type { ModelRun } from "../things.ts";
import type { Lag } from "./lag.ts";

type Actions = Pick<
  RepositoryPort,
  | "loadWorkflow"
  | "loadWorkflowRun"
  | "loadWorkflowRuns"
  | "loadRunsOfCommit"
  | "loadArtifact"
  | "dispatchWorkflow"
  | "cancelRun"
>;

export function createActions(model: GitHubModel, lag: Lag): Actions {
  const list = (at: number, test: (run: ModelRun) => boolean): readonly WorkflowRun[] =>
    [...model.runs.values()].flatMap((run) => {
      const seen = test(run) ? viewRun(run, at) : null;
      return seen === null ? [] : [seen];
    });
  return {
    async loadWorkflow(path) {
      const head = model.head(model.defaultBranch);
      return head !== null && model.git.files(head).has(path) ? { state: "active" } : null;
    },
    async loadWorkflowRun(id) {
      const run = model.runs.get(id);
      return run === undefined ? null : viewRun(run, model.time.now() - lag("loadWorkflowRun"));
    },
    async loadWorkflowRuns(job, since) {
      const at = model.time.now() - lag("loadWorkflowRuns");
      return list(at, (run) => run.path === WORKFLOW_PATH && run.createdAt >= since && parseRunName(run.title) === job);
    },
    async loadRunsOfCommit(sha) {
      return list(model.time.now() - lag("loadRunsOfCommit"), (run) => run.headSha === sha);
    },
    async loadArtifact(runId, name, _file, maxBytes) {
      const run = model.runs.get(runId);
      if (
        name !== RESULT_ARTIFACT ||
        run === undefined ||
        run.artifact === null ||
        run.artifact.at > model.time.now() - lag("loadArtifact")
      )
        return { outcome: "missing" };
      if (run.artifact.text.length > maxBytes) return { outcome: "refused", reason: "it is too large" };
      return { outcome: "found", text: run.artifact.text };
    },
    async dispatchWorkflow({ path, ref, inputs }) {
      const head = model.head(ref);
      if (head === null)
        throw new GitHubFailure("conflict", "It is gone. GitHub says: No ref found for it", { status: 422 });
      if (!model.git.files(head).has(path))
        throw new GitHubFailure(
          "misconfigured",
          "The workflow file on the default branch must be Taskfleet's own and enabled.",
          { status: 422 },
        );
      for (const name of ["role", "request", "job"])
        if (inputs[name] === undefined)
          throw new GitHubFailure(
            "misconfigured",
            `The workflow file must be Taskfleet's own. GitHub says: Required input '${name}' not provided`,
            { status: 422 },
          );
      const title = formatRunName(inputs["role"] ?? "", (inputs["job"] ?? "") as JobId);
      return createRun(model, { title, event: "workflow_dispatch", headSha: head, headBranch: ref, path, inputs }).id;
    },
    async cancelRun(id) {
      const run = model.runs.get(id);
      if (run === undefined || run.timeline.now.status === "completed") return;
      // Not at once: steps that must run go on for a moment.
      model.time.after(5_000, () => endRun(model, run, "cancelled", null));
    },
  };
}

function viewRun(run: ModelRun, at: number): WorkflowRun | null {
  const state = run.timeline.at(at);
  if (state === undefined) return null;
  const { id, title, event, headSha, headBranch, path, createdAt } = run;
  const updatedAt = run.timeline.changedBy(at) ?? createdAt;
  return {
    id,
    title,
    event,
    ...state,
    headSha,
    headBranch,
    path,
    url: formatUrl("actions/runs", id),
    createdAt,
    updatedAt,
  };
}
