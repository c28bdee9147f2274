/** What can be seen on GitHub, in the words of the demo; read from webhook payloads. */
export type Sighting = { readonly at: number } & (
  | {
      readonly kind: "issue";
      readonly action: "opened" | "closed";
      readonly number: number;
      readonly title: string;
      readonly by: string;
      readonly url: string;
    }
  | {
      readonly kind: "label";
      readonly number: number;
      readonly label: string;
      readonly by: string;
      readonly url: string;
    }
  | {
      readonly kind: "comment";
      readonly action: "created" | "edited";
      readonly number: number;
      readonly by: string;
      readonly bot: boolean;
      readonly body: string;
      readonly url: string;
    }
  | {
      readonly kind: "pull";
      readonly action: "opened" | "closed" | "merged" | "ready";
      readonly number: number;
      readonly title: string;
      readonly head: string;
      readonly base: string;
      readonly sha: string;
      readonly url: string;
    }
  | {
      readonly kind: "review";
      readonly number: number;
      readonly head: string;
      readonly state: string;
      readonly body: string;
      readonly url: string;
    }
  | {
      readonly kind: "check";
      readonly id: number;
      readonly name: string;
      readonly app: string;
      readonly externalId: string;
      readonly sha: string;
      readonly conclusion: string;
      readonly title: string;
      /** The first thing that is wrong, or "". */
      readonly detail: string;
      readonly url: string;
    }
  | {
      readonly kind: "run";
      readonly id: number;
      readonly title: string;
      readonly event: string;
      readonly branch: string;
      readonly status: "started" | "completed";
      readonly conclusion: string;
      readonly url: string;
    }
  | {
      readonly kind: "push";
      readonly ref: string;
      readonly sha: string;
      readonly message: string;
      readonly by: string;
      readonly url: string;
    }
);

interface Payload {
  readonly action?: string;
  readonly sender?: { readonly login: string };
  readonly issue?: { readonly number: number; readonly title: string; readonly html_url: string };
  readonly label?: { readonly name: string };
  readonly comment?: {
    readonly body: string;
    readonly html_url: string;
    readonly user: { readonly login: string; readonly type: string };
  };
  readonly pull_request?: {
    readonly number: number;
    readonly title: string;
    readonly html_url: string;
    readonly merged: boolean;
    readonly head: { readonly ref: string; readonly sha: string };
    readonly base: { readonly ref: string };
  };
  readonly review?: { readonly state: string; readonly body: string | null; readonly html_url: string };
  readonly check_run?: {
    readonly id: number;
    readonly name: string;
    readonly external_id: string | null;
    readonly head_sha: string;
    readonly status: string;
    readonly conclusion: string | null;
    readonly html_url: string;
    readonly output: { readonly title: string | null; readonly summary?: string | null; readonly text?: string | null };
    readonly app: { readonly slug?: string } | null;
  };
  readonly workflow_run?: {
    readonly id: number;
    readonly display_title: string;
    readonly event: string;
    readonly head_branch: string | null;
    readonly conclusion: string | null;
    readonly html_url: string;
  };
  readonly ref?: string;
  readonly after?: string;
  readonly compare?: string;
  readonly head_commit?: { readonly message: string; readonly url: string } | null;
}

/**
 * What a delivery shows, or null when it shows nothing the demo speaks of.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 * @param at milliseconds since the demo began
 */
export function readSighting(event: string, body: string, at: number): Sighting | null {
  const payload = JSON.parse(body) as Payload;
  const { action, sender, issue, comment, pull_request: pull, check_run: check, workflow_run: run } = payload;
  const by = sender?.login ?? "";
  switch (event) {
    case "issues":
      if (issue === undefined) return null;
      if (action === "labeled" && payload.label !== undefined)
        return { at, kind: "label", number: issue.number, label: payload.label.name, by, url: issue.html_url };
      if (action !== "opened" && action !== "closed") return null;
      return { at, kind: "issue", action, number: issue.number, title: issue.title, by, url: issue.html_url };
    case "issue_comment":
      if (issue === undefined || comment === undefined || (action !== "created" && action !== "edited")) return null;
      return {
        at,
        kind: "comment",
        action,
        number: issue.number,
        by: comment.user.login,
        bot: comment.user.type === "Bot",
        body: comment.body,
        url: comment.html_url,
      };
    case "pull_request":
      return pull === undefined ? null : readPull(pull, action, at);
    case "pull_request_review":
      if (pull === undefined || payload.review === undefined || action !== "submitted") return null;
      return {
        at,
        kind: "review",
        number: pull.number,
        head: pull.head.ref,
        state: payload.review.state.toLowerCase(),
        body: payload.review.body ?? "",
        url: payload.review.html_url,
      };
    case "check_run":
      if (check === undefined || check.status !== "completed") return null;
      return {
        at,
        kind: "check",
        id: check.id,
        name: check.name,
        app: check.app?.slug ?? "",
        externalId: check.external_id ?? "",
        sha: check.head_sha,
        conclusion: check.conclusion ?? "",
        title: check.output.title ?? "",
        detail: findFirstItem(check.output.text ?? check.output.summary ?? ""),
        url: check.html_url,
      };
    case "workflow_run":
      if (run === undefined || (action !== "in_progress" && action !== "completed")) return null;
      return {
        at,
        kind: "run",
        id: run.id,
        title: run.display_title,
        event: run.event,
        branch: run.head_branch ?? "",
        status: action === "completed" ? "completed" : "started",
        conclusion: run.conclusion ?? "",
        url: run.html_url,
      };
    case "push":
      return {
        at,
        kind: "push",
        ref: payload.ref ?? "",
        sha: payload.after ?? "",
        message: payload.head_commit?.message ?? "",
        by,
        url: payload.head_commit?.url ?? payload.compare ?? "",
      };
    default:
      return null;
  }
}

/** The first item of the first list in a Markdown text. */
function findFirstItem(markdown: string): string {
  return /^- (.+)$/mu.exec(markdown)?.[1] ?? "";
}

function readPull(pull: NonNullable<Payload["pull_request"]>, action: string | undefined, at: number): Sighting | null {
  const shown = { opened: "opened", ready_for_review: "ready", closed: pull.merged ? "merged" : "closed" } as const;
  if (action !== "opened" && action !== "ready_for_review" && action !== "closed") return null;
  return {
    at,
    kind: "pull",
    action: shown[action],
    number: pull.number,
    title: pull.title,
    head: pull.head.ref,
    base: pull.base.ref,
    sha: pull.head.sha,
    url: pull.html_url,
  };
}
