/** Everything a person could find on the local GitHub after a run: read through its API and git only. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { DemoHooks, DemoOptions, DemoSummary, StageView } from "../../src/cli/demo/demo-options.ts";
import { createReader, type Reader } from "../../src/cli/demo/github-reader.ts";
import { DemoFailure, runDemo } from "../../src/cli/demo/run-demo.ts";
import { parseBranch, parseMarker } from "../../src/contracts/names.ts";
import type { Scenario } from "../../src/sandbox/sample/sample-issue.ts";

const exec = promisify(execFile);

type Pull = Awaited<ReturnType<Reader["listPulls"]>>[number];
type Check = Awaited<ReturnType<Reader["listChecks"]>>[number];
type Comment = Awaited<ReturnType<Reader["listComments"]>>[number];
type Review = Awaited<ReturnType<typeof listReviews>>[number];
type Annotation = Awaited<ReturnType<typeof listAnnotations>>[number];

export interface Evidence {
  readonly summary: DemoSummary;
  readonly lines: readonly string[];
  readonly issue: { readonly state: string };
  /** By issue or pull request number. */
  readonly comments: ReadonlyMap<number, readonly Comment[]>;
  readonly feature: Pull;
  readonly chunkPulls: ReadonlyMap<string, readonly Pull[]>;
  readonly reviews: ReadonlyMap<number, readonly Review[]>;
  /** Ours and the repository's own, each once. */
  readonly checks: readonly Check[];
  readonly annotations: ReadonlyMap<number, readonly Annotation[]>;
  readonly branches: readonly string[];
  /** Titles of all workflow runs: ours are named after their jobs. */
  readonly runs: readonly string[];
  /** Every address the demo printed, with the status of its page. */
  readonly links: ReadonlyMap<string, number>;
  /** A clone of everything, as it was when the run ended. */
  readonly clone: string;
  readonly git: (...args: readonly string[]) => Promise<string>;
  readonly remove: () => Promise<void>;
}

export interface PlayOptions extends Pick<DemoOptions, "appEnv"> {
  readonly hooks?: Pick<DemoHooks, "onEvent" | "onAppDeath">;
  readonly deadlineMs?: number;
  /** Awaited at the end, before anything is looked at. */
  readonly settle?: () => Promise<void>;
}

/** Plays a scenario and keeps what it left on GitHub. */
export async function playDemo(scenario: Scenario, options: PlayOptions = {}): Promise<Evidence> {
  const lines: string[] = [];
  let evidence: Omit<Evidence, "lines"> | null = null;
  try {
    await runDemo({
      scenario,
      print: (line) => lines.push(line),
      colour: "off",
      limits: "github",
      deadlineMs: options.deadlineMs ?? 420_000,
      ...(options.appEnv === undefined ? {} : { appEnv: options.appEnv }),
      hooks: {
        ...options.hooks,
        onEnd: async (stage, summary) => {
          await options.settle?.();
          if (summary !== null) evidence = await collect(stage, summary, lines);
        },
      },
    });
  } catch (error) {
    await (evidence as Evidence | null)?.remove();
    const log = error instanceof DemoFailure ? error.log.slice(-30) : [];
    throw new Error([`the demo failed: ${String(error)}`, ...lines, ...log].join("\n"), { cause: error });
  }
  if (evidence === null) throw new Error("the demo ended without a summary");
  return { ...(evidence as Omit<Evidence, "lines">), lines };
}

async function collect(
  stage: StageView,
  summary: DemoSummary,
  lines: readonly string[],
): Promise<Omit<Evidence, "lines">> {
  const { apiUrl, owner, repository, maintainerToken: token } = stage;
  const reader = createReader({ apiUrl, token, owner, repository });
  const pulls = await reader.listPulls();
  const feature = pulls.find((pull) => pull.number === summary.featurePr);
  if (feature === undefined) throw new Error("there is no feature pull request");
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-evidence-"));
  const clone = path.join(folder, "tally");
  await exec("git", ["clone", "-q", stage.cloneUrl, clone]);
  const issues = await reader.octokit.paginate(reader.octokit.rest.issues.listForRepo, { ...reader.at, state: "all" });
  const checks = await listChecks(reader, pulls);
  return {
    summary,
    issue: { state: (await reader.octokit.rest.issues.get({ ...reader.at, issue_number: stage.issue })).data.state },
    comments: await mapAll(
      issues.map(({ number }) => number),
      async (number) => await reader.listComments(number),
    ),
    feature,
    chunkPulls: groupByChunk(pulls),
    reviews: await mapAll(
      pulls.map(({ number }) => number),
      async (number) => await listReviews(reader, number),
    ),
    checks,
    annotations: await mapAll(
      checks.filter((check) => check.output.annotations_count > 0).map(({ id }) => id),
      async (id) => await listAnnotations(reader, id),
    ),
    branches: await reader.listBranches(),
    runs: (await reader.listRuns()).map((run) => run.display_title),
    links: await openLinks(lines),
    clone,
    git: async (...args) => (await exec("git", [...args], { cwd: clone, maxBuffer: 64 * 1024 * 1024 })).stdout,
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}

async function listChecks(reader: Reader, pulls: readonly Pull[]): Promise<readonly Check[]> {
  const runs = await reader.listRuns();
  const commits = new Set([
    ...runs.map((run) => run.head_sha),
    ...pulls.flatMap((pull) => [pull.head.sha, pull.merge_commit_sha ?? pull.head.sha]),
  ]);
  const found = new Map<number, Check>();
  for (const sha of commits) for (const check of await reader.listChecks(sha)) found.set(check.id, check);
  return [...found.values()];
}

async function listReviews(reader: Reader, number: number) {
  return await reader.octokit.paginate(reader.octokit.rest.pulls.listReviews, { ...reader.at, pull_number: number });
}

async function listAnnotations(reader: Reader, check: number) {
  return await reader.octokit.paginate(reader.octokit.rest.checks.listAnnotations, {
    ...reader.at,
    check_run_id: check,
  });
}

async function openLinks(lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const statuses = new Map<string, number>();
  for (const url of lines.flatMap((line) => line.match(/http:\/\/localhost:\d+\/\S+/gu) ?? [])) {
    if (statuses.has(url)) continue;
    const response = await fetch(url);
    await response.arrayBuffer();
    statuses.set(url, response.status);
  }
  return statuses;
}

function groupByChunk(pulls: readonly Pull[]): ReadonlyMap<string, readonly Pull[]> {
  const groups = new Map<string, Pull[]>();
  for (const pull of pulls) {
    const branch = parseBranch(pull.head.ref);
    if (branch?.kind === "chunk") groups.set(branch.chunk, [...(groups.get(branch.chunk) ?? []), pull]);
  }
  return groups;
}

async function mapAll<Value>(
  keys: readonly number[],
  read: (key: number) => Promise<readonly Value[]>,
): Promise<ReadonlyMap<number, readonly Value[]>> {
  return new Map(await Promise.all(keys.map(async (key) => [key, await read(key)] as const)));
}

/** The App's own comments of a run, by what they are. */
export function listMarkers(evidence: Evidence): readonly string[] {
  return [...evidence.comments].flatMap(([number, comments]) =>
    comments
      .filter((comment) => comment.user?.type === "Bot")
      .map((comment) => `${number} ${parseMarker(comment.body ?? "")?.key ?? "no marker"}`),
  );
}
