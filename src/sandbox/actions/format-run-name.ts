import { buildGithubContext, buildInputsContext } from "./contexts.ts";
import type { WorkflowDescription } from "./describe-workflow.ts";
import { evaluateText } from "./expressions.ts";
import type { RunRequest } from "./runner-host.ts";

/**
 * The run's title: `run-name`, or what GitHub shows without one (the commit's headline, the pull
 * request's title, the workflow's name).
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#run-name
 */
export function formatRunName(description: WorkflowDescription, request: RunRequest): string {
  const github = buildGithubContext(description, request);
  if (description.runName !== null) {
    const contexts = {
      github,
      inputs: buildInputsContext(description, request),
      vars: request.variables ?? {},
    };
    try {
      const name = evaluateText(description.runName, { contexts, status: null, hashFiles: null }).trim();
      if (name !== "") return name;
    } catch {
      // GitHub falls back to the default title when a run-name cannot be evaluated.
    }
  }
  return deriveDefaultName(request) ?? description.name;
}

function deriveDefaultName(request: RunRequest): string | null {
  const payload = request.payload as {
    readonly head_commit?: { readonly message?: string } | null;
    readonly pull_request?: { readonly title?: string } | null;
  } | null;
  switch (request.event.name) {
    case "push":
      return payload?.head_commit?.message?.split("\n")[0] ?? null;
    case "pull_request":
      return payload?.pull_request?.title ?? null;
    case "workflow_dispatch":
      return null;
  }
}
