import { type ApiRoutes, NEED } from "../http/api-context.ts";
import { readBody } from "../http/read-body.ts";
import { allows } from "../auth/authorize.ts";
import { recordEvent } from "../issues/record-event.ts";
import { emitPull } from "../pulls/emit-pull.ts";
import { startPullWorkflows } from "../runs/start-pull-workflows.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Actor } from "../state/actor.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";

interface GraphqlError {
  readonly type: string;
  readonly message: string;
}

function findPullByNodeId(services: Services, nodeId: string): { repository: Repository; pull: Pull } | null {
  for (const repository of services.world.repositories.values()) {
    for (const pull of repository.pulls.values()) {
      if (formatNodeId("PR", pull.id) === nodeId) return { repository, pull };
    }
  }
  return null;
}

/** The pull request's id: from the variables, or written into the query. */
function readPullId(query: string, variables: Readonly<Record<string, unknown>>): string {
  const literal = /pullRequestId\s*:\s*"([^"]+)"/.exec(query)?.[1];
  const name = /pullRequestId\s*:\s*\$(\w+)/.exec(query)?.[1];
  const input = variables["input"] as { pullRequestId?: unknown } | undefined;
  const value = literal ?? (name === undefined ? input?.pullRequestId : variables[name]);
  return typeof value === "string" ? value : "";
}

async function changeDraft(
  services: Services,
  actor: Actor,
  nodeId: string,
  wanted: "draft" | "ready",
): Promise<Pull | GraphqlError> {
  const found = findPullByNodeId(services, nodeId);
  if (found === null) {
    return { type: "NOT_FOUND", message: `Could not resolve to a node with the global id of '${nodeId}'` };
  }
  const { repository, pull } = found;
  // GitHub wants `contents: write` for this besides `pull_requests: write`.
  // https://github.com/cli/cli/issues/8910
  const allowed =
    "account" in actor &&
    allows(services.world, actor, repository, NEED.writePulls) &&
    allows(services.world, actor, repository, NEED.writeContents);
  if (!allowed) return { type: "FORBIDDEN", message: "Resource not accessible by integration" };
  if (findPullIssue(repository, pull).state !== "open") {
    return { type: "UNPROCESSABLE", message: "The pull request is closed." };
  }
  if (pull.draft === (wanted === "draft")) return pull;
  pull.draft = wanted === "draft";
  const sender = actor.account;
  recordEvent(services, repository, pull.number, {
    actor: sender,
    detail: { event: pull.draft ? "convert_to_draft" : "ready_for_review" },
  });
  await emitPull(services, repository, pull, {
    action: pull.draft ? "converted_to_draft" : "ready_for_review",
    sender,
  });
  if (!pull.draft && actor.kind !== "run") {
    startPullWorkflows(services, repository, sender, pull, "ready_for_review");
  }
  return pull;
}

/**
 * Of GraphQL only what has no REST twin: draft to ready and back. Errors come with status 200.
 * https://docs.github.com/en/graphql/reference/mutations#markpullrequestreadyforreview
 */
export function addGraphqlRoutes(routes: ApiRoutes, services: Services): void {
  routes.post("/graphql", async (c) => {
    const body = await readBody(c);
    const query = body.string("query");
    const variables = (body.raw("variables") ?? {}) as Record<string, unknown>;
    const name = /\b(markPullRequestReadyForReview|convertPullRequestToDraft)\b/.exec(query)?.[1];
    if (name === undefined) {
      services.log({ kind: "not-implemented", method: "POST", path: `/graphql: ${query.slice(0, 200)}` });
      return c.json({ message: "This GraphQL operation is not implemented in the sandbox" }, 501);
    }
    const wanted = name === "convertPullRequestToDraft" ? "draft" : "ready";
    const result = await changeDraft(services, c.get("actor"), readPullId(query, variables), wanted);
    if ("message" in result) {
      return c.json({
        data: { [name]: null },
        errors: [{ ...result, path: [name], locations: [{ line: 1, column: 1 }] }],
      });
    }
    return c.json({
      data: {
        [name]: {
          clientMutationId: null,
          pullRequest: { id: formatNodeId("PR", result.id), number: result.number, isDraft: result.draft },
        },
      },
    });
  });
}
