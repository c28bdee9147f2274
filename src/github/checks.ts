import { GitHubFailure } from "../contracts/errors.ts";
import { loadPages } from "./load-pages.ts";
import type { Annotation, CheckOutput, CheckRun, CommitStatus, RepositoryPort } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

type Checks = Pick<RepositoryPort, "loadCheckRuns" | "loadStatuses" | "createCheck" | "updateCheck">;

/** Annotations per request; more are added by updates (docs.github.com/en/rest/checks/runs#update-a-check-run). */
const batch = 50;

export function createChecks(client: RepositoryClient): Checks {
  /** Annotations of an update are added, so only one without any may be sent twice. */
  async function update(id: number, check: CheckOutput, annotations: readonly Annotation[]): Promise<void> {
    await client.send(
      "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
      { check_run_id: id, ...formatCheck(check, annotations) },
      { repeatable: annotations.length === 0 },
    );
  }

  return {
    async loadCheckRuns(sha) {
      const pages = await loadPages(
        client,
        "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
        { ref: sha, filter: "all" },
        { conditional: true },
      );
      const runs = pages.flatMap((page) => page.data.check_runs);
      const announced = pages.at(-1)?.data.total_count ?? 0;
      if (runs.length < announced) {
        throw new GitHubFailure("transient", `GitHub listed ${runs.length} of ${announced} check runs.`);
      }
      return runs.map(parseCheckRun).sort((a, b) => b.id - a.id);
    },
    async loadStatuses(sha) {
      const pages = await loadPages(
        client,
        "GET /repos/{owner}/{repo}/commits/{ref}/statuses",
        { ref: sha },
        { conditional: true },
      );
      return pages
        .flatMap((page) => page.data)
        .map((status) => ({
          context: status.context,
          state: parseState(status.state),
          createdAt: Date.parse(status.created_at),
          url: status.target_url,
        }));
    },
    async createCheck(check) {
      const batches = splitBatches(check.annotations);
      const { data } = await client.send("POST /repos/{owner}/{repo}/check-runs", {
        head_sha: check.sha,
        ...formatCheck(check, batches[0] ?? []),
      });
      for (const more of batches.slice(1)) await update(data.id, check, more);
      return { id: data.id, url: data.html_url ?? "" };
    },
    async updateCheck(id, check) {
      const [first, ...others] = splitBatches(check.annotations);
      await update(id, check, first ?? []);
      for (const more of others) await update(id, check, more);
    },
  };
}

function splitBatches(annotations: readonly Annotation[]): ReadonlyArray<readonly Annotation[]> {
  const batches: Array<readonly Annotation[]> = [];
  for (let start = 0; start < annotations.length; start += batch) batches.push(annotations.slice(start, start + batch));
  return batches;
}

function formatCheck(check: CheckOutput, annotations: readonly Annotation[]) {
  return {
    name: check.name,
    external_id: check.externalId,
    status: check.status,
    ...(check.conclusion === undefined ? {} : { conclusion: check.conclusion }),
    ...(check.detailsUrl === undefined ? {} : { details_url: check.detailsUrl }),
    actions: (check.buttons ?? [])
      .slice(0, 3)
      .map(({ label, identifier, description }) => ({ label, identifier, description })),
    output: {
      title: check.title,
      summary: check.summary,
      ...(check.text === undefined ? {} : { text: check.text }),
      ...(annotations.length === 0 ? {} : { annotations: annotations.map(formatAnnotation) }),
    },
  };
}

function formatAnnotation(annotation: Annotation) {
  return {
    path: annotation.path,
    start_line: annotation.startLine,
    end_line: annotation.endLine,
    annotation_level: annotation.level,
    title: annotation.title,
    message: annotation.message,
  };
}

function parseCheckRun(data: {
  readonly id: number;
  readonly name: string;
  readonly app: { readonly id: number } | null;
  readonly external_id: string | null;
  readonly status: CheckRun["status"];
  readonly conclusion: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly html_url: string | null;
}): CheckRun {
  return {
    id: data.id,
    name: data.name,
    appId: data.app?.id ?? null,
    externalId: data.external_id ?? "",
    status: data.status,
    conclusion: data.conclusion,
    startedAt: data.started_at === null ? null : Date.parse(data.started_at),
    completedAt: data.completed_at === null ? null : Date.parse(data.completed_at),
    url: data.html_url ?? "",
  };
}

/** A state unknown to us is no success. */
function parseState(state: string): CommitStatus["state"] {
  return state === "success" || state === "pending" || state === "failure" ? state : "error";
}
