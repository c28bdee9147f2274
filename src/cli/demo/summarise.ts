/** What came of a run, read from GitHub's API: pull requests, checks, workflow runs and the committed plan. */
import type { RunKey } from "../../contracts/ids.ts";
import {
  formatEvidenceFolder,
  formatEvidencePath,
  parseBranch,
  parseMarker,
  parseRunName,
} from "../../contracts/names.ts";
import type { Chunk } from "../../contracts/plan.ts";
import type { AttemptSummary, ChunkSummary, DemoSummary } from "./demo-options.ts";
import type { Reader } from "./github-reader.ts";
import { shortenTitle } from "./one-line.ts";

type Pull = Awaited<ReturnType<Reader["listPulls"]>>[number];
type Check = Awaited<ReturnType<Reader["listChecks"]>>[number];
type Run = Awaited<ReturnType<Reader["listRuns"]>>[number];

export type ReadSummary = Omit<DemoSummary, "requests" | "seconds">;

export async function summariseRun(reader: Reader, issue: number): Promise<ReadSummary> {
  const pulls = await reader.listPulls();
  const feature = pulls.find((pull) => parseBranch(pull.head.ref)?.kind === "integration");
  const run = feature === undefined ? null : readRun(feature);
  const outcome = await readOutcome(reader, issue, feature);
  const empty = { fork: null, integration: null, merged: null };
  if (feature === undefined || run === null)
    return { outcome, runKey: null, issue, featurePr: null, planRevs: [], chunks: [], commits: empty };

  const evidence = await reader.listFolder(formatEvidenceFolder(run), feature.head.sha);
  const planRevs = evidence.flatMap((name) => /^plan\.v(\d+)\.json$/u.exec(name)?.[1] ?? []).map(Number);
  const plan = await reader.readPlan(formatEvidencePath(run, { kind: "current-plan" }), feature.head.sha);
  const runs = await reader.listRuns();
  const checks = await listAllChecks(reader, runs, pulls);
  return {
    outcome,
    runKey: run,
    issue,
    featurePr: feature.number,
    planRevs: planRevs.sort((one, other) => one - other),
    chunks: plan.chunks.map((chunk) => summariseChunk({ chunk, run, pulls, runs, checks })),
    commits: {
      fork: plan.baseline.commit_oid,
      integration: feature.head.sha,
      merged: feature.merged_at === null ? null : feature.merge_commit_sha,
    },
  };
}

function readRun(pull: Pull): RunKey | null {
  return parseBranch(pull.head.ref)?.run ?? null;
}

/** People are asked in comments with a marker of their own; the report ends a run. */
async function readOutcome(reader: Reader, issue: number, feature: Pull | undefined): Promise<DemoSummary["outcome"]> {
  if (feature !== undefined && feature.merged_at !== null) return "merged";
  const comments = await reader.listComments(issue);
  const keys = comments
    .filter(({ user }) => user?.type === "Bot")
    .map(({ body }) => parseMarker(body ?? "")?.key ?? "");
  if (keys.includes("report")) return "cancelled";
  return keys.some((key) => key.startsWith("need:escalation:")) ? "escalated" : "failed";
}

/** Our checks, newest last, from every commit a job ran on and every pull request's head. */
async function listAllChecks(reader: Reader, runs: readonly Run[], pulls: readonly Pull[]): Promise<readonly Check[]> {
  const commits = new Set([...runs.map((run) => run.head_sha), ...pulls.map((pull) => pull.head.sha)]);
  const lists = await Promise.all([...commits].map(async (sha) => await reader.listChecks(sha)));
  return lists
    .flat()
    .filter((check) => check.name.startsWith("taskfleet"))
    .sort((one, other) => one.id - other.id);
}

function summariseChunk(parts: {
  readonly chunk: Chunk;
  readonly run: RunKey;
  readonly pulls: readonly Pull[];
  readonly runs: readonly Run[];
  readonly checks: readonly Check[];
}): ChunkSummary {
  const { chunk, run, pulls, runs, checks } = parts;
  const own = pulls.filter((pull) => {
    const branch = parseBranch(pull.head.ref);
    return branch?.kind === "chunk" && branch.run === run && branch.chunk === chunk.id;
  });
  const landed = own.find((pull) => pull.merged_at !== null)?.merge_commit_sha ?? null;
  const find = (gate: "floor" | "review", n: number): Check | undefined =>
    checks.findLast((check) => check.external_id === `${run}:${gate}:${chunk.id}:${n}`);
  const attempts: AttemptSummary[] = [];
  for (let n = 1; n <= countAttempts(run, chunk.id, runs, checks); n += 1) {
    const floor = find("floor", n);
    const review = find("review", n);
    const failed = [floor, review].find((check) => check !== undefined && check.conclusion !== "success");
    const reason =
      failed === undefined ? (floor === undefined ? "no usable result" : "") : shortenTitle(failed.output.title ?? "");
    attempts.push({ n, floor: readResult(floor), review: readResult(review), reason });
  }
  return { id: chunk.id, title: chunk.title, attempts, landed };
}

/** Attempts are started by jobs named after them and leave checks; the highest number of either counts. */
function countAttempts(run: RunKey, chunk: string, runs: readonly Run[], checks: readonly Check[]): number {
  const prefix = `${run}/implement:${chunk}/`;
  const started = runs.flatMap(({ display_title: title }) => {
    const job = parseRunName(title);
    return job?.startsWith(prefix) === true ? [Number(job.slice(prefix.length))] : [];
  });
  const checked = checks.flatMap(({ external_id: id }) =>
    id?.startsWith(`${run}:floor:${chunk}:`) === true ? [Number(id.slice(id.lastIndexOf(":") + 1))] : [],
  );
  return Math.max(0, ...started, ...checked);
}

function readResult(check: Check | undefined): "pass" | "fail" | null {
  if (check === undefined) return null;
  return check.conclusion === "success" ? "pass" : "fail";
}
