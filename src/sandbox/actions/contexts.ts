/** The contexts and default variables of https://docs.github.com/en/actions/reference/workflows-and-actions/contexts */
import type { WorkflowDescription } from "./describe-workflow.ts";
import { applyInputDefaults, deriveInputsContext } from "./dispatch-inputs.ts";
import type { RunRequest } from "./runner-host.ts";

/** The part of the `github` context that is the same in every job; the token is added per job. */
export function buildGithubContext(
  description: WorkflowDescription,
  request: RunRequest,
): Readonly<Record<string, unknown>> {
  const { event, repository, ref } = request;
  const [owner = ""] = repository.fullName.split("/");
  return {
    actor: request.actor,
    api_url: request.apiUrl,
    base_ref: event.name === "pull_request" ? event.baseRef : "",
    event: buildEvent(description, request),
    event_name: event.name,
    graphql_url: request.graphqlUrl,
    head_ref: event.name === "pull_request" ? event.headRef : "",
    ref,
    ref_name: ref.replace(/^refs\/(?:heads|tags|pull)\//, ""),
    ref_protected: false,
    ref_type: ref.startsWith("refs/tags/") ? "tag" : "branch",
    repository: repository.fullName,
    repository_id: String(repository.id),
    repository_owner: owner,
    repositoryUrl: repository.cloneUrl,
    retention_days: "90",
    run_attempt: String(request.runAttempt),
    run_id: String(request.runId),
    run_number: String(request.runNumber),
    secret_source: "Actions",
    server_url: request.serverUrl,
    sha: request.sha,
    triggering_actor: request.actor,
    workflow: description.name,
    workflow_ref: `${repository.fullName}/${description.path}@${ref}`,
    workflow_sha: request.sha,
  };
}

/** The `inputs` context; empty for other events than workflow_dispatch. */
export function buildInputsContext(
  description: WorkflowDescription,
  request: RunRequest,
): Readonly<Record<string, string | boolean>> {
  return request.event.name === "workflow_dispatch" ? deriveInputsContext(description, request.event.inputs) : {};
}

/** `GITHUB_*` variables that follow from the `github` context: `GITHUB_` + upper-case key. */
export function deriveGithubVariables(github: Readonly<Record<string, unknown>>): Record<string, string> {
  const hidden = new Set(["event", "token", "repositoryUrl", "secret_source", "action_path", "action_status"]);
  return Object.fromEntries(
    Object.entries(github)
      .filter(([key, value]) => !hidden.has(key) && value !== undefined)
      .map(([key, value]) => [`GITHUB_${key.toUpperCase()}`, String(value)]),
  );
}

function buildEvent(description: WorkflowDescription, request: RunRequest): unknown {
  const payload = isRecord(request.payload) ? request.payload : {};
  if (request.event.name !== "workflow_dispatch") return payload;
  return { ...payload, inputs: applyInputDefaults(description, request.event.inputs) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
