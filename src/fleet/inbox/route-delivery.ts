/**
 * A webhook is a hint: it says where to look, never what is true. The exceptions are labels: who set one, and over
 * which text, only the (signed) payload says.
 */
import { LABEL, parseBranch, parseRunName } from "../../contracts/names.ts";
import { isButtonName } from "../../contracts/buttons.ts";
import { isRunKey, isSha, type RunKey } from "../../contracts/ids.ts";
import { formatRunEnd } from "../observe/run-end.ts";
import { hashIssueText, type SeenText } from "../intake/intake-hint.ts";
import { formatButtonHint } from "./button-hint.ts";

export interface RepositoryIdentity {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
}

export type Route =
  | {
      readonly to: "intake";
      readonly repository: RepositoryIdentity;
      readonly issue: number;
      readonly by: string;
      readonly bot: boolean;
      /** What they saw. */
      readonly text: SeenText | null;
    }
  /** One run, named by a branch or a workflow run. */
  | { readonly to: "run"; readonly repository: RepositoryIdentity; readonly run: RunKey; readonly hint: string }
  /** Every open run of the repository: each knows what is its own. */
  | { readonly to: "repository"; readonly repository: RepositoryIdentity; readonly hint: string }
  /** Installation or repository came back: everything of it is looked at again. */
  | {
      readonly to: "installation";
      readonly installationId: number;
      /** What it was given: runs may have asked for these in the name of another one. */
      readonly gained: readonly RepositoryIdentity[];
    };

type Json = Readonly<Record<string, unknown>>;

/** What a hint at a pull request says beside its number when the webhook called it merged. */
export const MERGED = "merged";

/** @param guid names the delivery: a button pressed is a happening only it tells of. */
export function routeDelivery(event: string, payload: unknown, guid: string): readonly Route[] {
  if (!isObject(payload)) return [];
  if (event === "installation" || event === "installation_repositories") {
    const installationId = readNumber(payload, "installation", "id");
    return installationId === null
      ? []
      : [{ to: "installation", installationId, gained: readGained(payload, installationId) }];
  }
  const repository = readRepository(payload);
  if (repository === null) return [];
  const action = readString(payload, "action") ?? "";
  // What our own App (or another) writes is no command.
  const byBot = readString(payload, "sender", "type") === "Bot";
  const toRepository = (hint: string): readonly Route[] => [{ to: "repository", repository, hint }];
  switch (event) {
    case "issues":
      return routeIssue(repository, action, payload);
    case "issue_comment": {
      const number = readNumber(payload, "issue", "number");
      // Only created comments are commands; an edit of a comment is nothing that happened.
      return action === "created" && number !== null && !byBot ? toRepository(`comments:${number}`) : [];
    }
    case "pull_request": {
      const number = readNumber(payload, "pull_request", "number");
      if (number === null || (action !== "closed" && action !== "reopened")) return [];
      const merged = action === "closed" && read(payload, ["pull_request", "merged"]) === true;
      const hint = merged ? `pull:${number}@${MERGED}` : `pull:${number}`;
      return toRunOfBranch(repository, readString(payload, "pull_request", "head", "ref"), hint);
    }
    case "pull_request_review": {
      const number = readNumber(payload, "pull_request", "number");
      if (number === null || byBot) return [];
      return toRunOfBranch(repository, readString(payload, "pull_request", "head", "ref"), `comments:${number}`);
    }
    case "push": {
      const branch = readString(payload, "ref")?.replace(/^refs\/heads\//u, "") ?? "";
      const ours = parseBranch(branch);
      if (ours === null || ours.kind === "candidate") return [];
      if (ours.kind === "integration") {
        // Whoever pushed: the run knows which commits are its own doing.
        const after = readString(payload, "after");
        return [{ to: "run", repository, run: ours.run, hint: after === null ? "tip" : `tip@${after}` }];
      }
      // On a chunk's branch a person takes over: no bot does.
      if (byBot) return [];
      const sender = readString(payload, "sender", "login") ?? "";
      return [{ to: "run", repository, run: ours.run, hint: `branch:${ours.chunk}@${sender}` }];
    }
    case "workflow_run": {
      const job = parseRunName(readString(payload, "workflow_run", "display_title") ?? "");
      if (job === null) return toRepository("ci");
      const run = job.slice(0, job.indexOf("/")) as RunKey;
      // Only the end of a job matters; its beginning changes nothing anybody decides.
      if (action !== "completed") return [];
      const runId = readNumber(payload, "workflow_run", "id");
      const conclusion = readString(payload, "workflow_run", "conclusion");
      const headSha = readString(payload, "workflow_run", "head_sha") ?? "";
      const end =
        runId === null || conclusion === null || !isSha(headSha)
          ? ""
          : `@${formatRunEnd({ runId, conclusion, headSha })}`;
      return [{ to: "run", repository, run, hint: `job:${job}${end}` }];
    }
    case "check_run":
      return action === "requested_action" ? routeButton(repository, payload, guid) : toRepository("ci");
    case "check_suite":
    case "status":
      return toRepository("ci");
    case "repository":
      return toRepository("sweep");
    default:
      return [];
  }
}

/** The check's external id begins with the run key. */
function routeButton(repository: RepositoryIdentity, payload: Json, guid: string): readonly Route[] {
  const button = readString(payload, "requested_action", "identifier") ?? "";
  const externalId = readString(payload, "check_run", "external_id") ?? "";
  const run = externalId.split(":")[0] ?? "";
  if (!isButtonName(button) || !isRunKey(run) || readString(payload, "sender", "type") !== "User") return [];
  const sender = readString(payload, "sender", "login") ?? "";
  return [{ to: "run", repository, run, hint: formatButtonHint({ button, externalId, guid, by: sender }) }];
}

function routeIssue(repository: RepositoryIdentity, action: string, payload: Json): readonly Route[] {
  const issue = readNumber(payload, "issue", "number");
  if (issue === null) return [];
  if (action === "labeled") {
    // Labels are compared without case, as GitHub does.
    if (readString(payload, "label", "name")?.toLowerCase() !== LABEL) return [];
    const by = readString(payload, "sender", "login") ?? "";
    return [
      {
        to: "intake",
        repository,
        issue,
        by,
        bot: readString(payload, "sender", "type") !== "User",
        text: readText(payload),
      },
      // Set again on a run's issue, it takes back that it was removed.
      { to: "repository", repository, hint: `issue:${issue}` },
    ];
  }
  const sender = readString(payload, "sender", "login") ?? "";
  // A bot's edit is looked at, too: seen without its webhook it would be taken for somebody else's.
  if (action === "edited") return [{ to: "repository", repository, hint: `issue:${issue}@${sender}` }];
  if (readString(payload, "sender", "type") === "Bot") return [];
  return ["closed", "reopened", "unlabeled", "deleted", "transferred"].includes(action)
    ? [{ to: "repository", repository, hint: `issue:${issue}` }]
    : [];
}

/** The issue as the payload has it; an empty description is null there. */
function readText(payload: Json): SeenText | null {
  const title = readString(payload, "issue", "title");
  const body = read(payload, ["issue", "body"]);
  const at = Date.parse(readString(payload, "issue", "updated_at") ?? "");
  if (title === null || (body !== null && typeof body !== "string") || Number.isNaN(at)) return null;
  return { hash: hashIssueText({ title, body: body ?? "" }), at };
}

function toRunOfBranch(repository: RepositoryIdentity, branch: string | null, hint: string): readonly Route[] {
  const ours = branch === null ? null : parseBranch(branch);
  return ours === null ? [] : [{ to: "run", repository, run: ours.run, hint }];
}

function readRepository(payload: Json): RepositoryIdentity | null {
  const id = readNumber(payload, "repository", "id");
  const owner = readString(payload, "repository", "owner", "login");
  const name = readString(payload, "repository", "name");
  const installationId = readNumber(payload, "installation", "id");
  if (id === null || owner === null || name === null || installationId === null) return null;
  return { id, owner, name, installationId };
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation lists names as `owner/name`. */
function readGained(payload: Json, installationId: number): readonly RepositoryIdentity[] {
  const action = readString(payload, "action");
  const listed = action === "created" ? payload["repositories"] : payload["repositories_added"];
  if ((action !== "created" && action !== "added") || !Array.isArray(listed)) return [];
  return listed.filter(isObject).flatMap((repository) => {
    const id = readNumber(repository, "id");
    const [owner, name] = (readString(repository, "full_name") ?? "").split("/");
    return id === null || owner === undefined || name === undefined ? [] : [{ id, owner, name, installationId }];
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(payload: Json, path: readonly string[]): unknown {
  let value: unknown = payload;
  for (const key of path) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

function readString(payload: Json, ...path: readonly string[]): string | null {
  const value = read(payload, path);
  return typeof value === "string" ? value : null;
}

function readNumber(payload: Json, ...path: readonly string[]): number | null {
  const value = read(payload, path);
  return typeof value === "number" ? value : null;
}
