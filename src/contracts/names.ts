/**
 * The names Taskfleet uses on GitHub, as parse/format pairs. They are load-bearing: a restarted App
 * finds its own work again by them, so none of them may ever change its form.
 */
import { type ChunkId, isChunkId, isRunKey, type JobId, type RunKey } from "./ids.ts";

/** The label that starts a run. */
export const LABEL = "taskfleet";
/** The workflow file users install, on the default branch. */
export const WORKFLOW_PATH = ".github/workflows/taskfleet.yml";
export const CONFIG_PATH = ".github/taskfleet.yml";
/** The folder of all committed evidence; only the App writes it. */
export const EVIDENCE_ROOT = ".taskfleet";

export type CheckName = "taskfleet" | "taskfleet/plan" | "taskfleet/floor" | "taskfleet/review" | "taskfleet/accept";

/** Rules may demand our own checks; we do not wait for ourselves. */
export function isOwnCheckName(name: string): boolean {
  return name === "taskfleet" || name.startsWith("taskfleet/");
}

export type BranchName =
  | { readonly kind: "integration"; readonly run: RunKey }
  | { readonly kind: "chunk"; readonly run: RunKey; readonly chunk: ChunkId }
  | { readonly kind: "candidate"; readonly run: RunKey; readonly hash: string };

/** A branch's name without `refs/heads/`. */
export function formatBranch(name: BranchName): string {
  switch (name.kind) {
    case "integration":
      return `taskfleet/${name.run}/integration`;
    case "chunk":
      return `taskfleet/${name.run}/chunk/${name.chunk}`;
    case "candidate":
      return `taskfleet/${name.run}/candidate/${name.hash}`;
  }
}

/** What a branch of ours is, or null when the name is not one that {@link formatBranch} gives. */
export function parseBranch(branch: string): BranchName | null {
  const [root, run, kind, ...rest] = branch.split("/");
  if (root !== "taskfleet" || run === undefined || !isRunKey(run)) return null;
  const last = rest[0];
  if (kind === "integration") return rest.length === 0 ? { kind, run } : null;
  if (last === undefined || rest.length !== 1) return null;
  if (kind === "chunk") return isChunkId(last) ? { kind, run, chunk: last } : null;
  if (kind === "candidate") return /^[0-9a-f]{12}$/u.test(last) ? { kind, run, hash: last } : null;
  return null;
}

/** The folder of a run's committed evidence, without a trailing slash. */
export function formatEvidenceFolder(run: RunKey): string {
  return `${EVIDENCE_ROOT}/${run}`;
}

export type EvidenceFile =
  | { readonly kind: "intent"; readonly revision: number }
  /** Only where the configuration is made of several files. */
  | { readonly kind: "config" }
  /** Only where the configuration asks for it. */
  | { readonly kind: "beads" }
  | { readonly kind: "plan"; readonly revision: number }
  | { readonly kind: "current-plan" }
  | { readonly kind: "plan-page" }
  | { readonly kind: "project-context" }
  | { readonly kind: "service-inventory" }
  | { readonly kind: "baseline"; readonly revision: number }
  | { readonly kind: "execution-plan"; readonly revision: number };

export function formatEvidencePath(run: RunKey, file: EvidenceFile): string {
  const folder = formatEvidenceFolder(run);
  switch (file.kind) {
    case "intent":
      return `${folder}/intent.v${file.revision}.md`;
    case "config":
      return `${folder}/config.json`;
    case "beads":
      return `${folder}/.beads/issues.jsonl`;
    case "plan":
      return `${folder}/plan.v${file.revision}.json`;
    case "current-plan":
      return `${folder}/plan.json`;
    case "plan-page":
      return `${folder}/plan.md`;
    case "project-context":
      return `${folder}/project-context.md`;
    case "service-inventory":
      return `${folder}/service-inventory.md`;
    case "baseline":
      return `${folder}/baseline.v${file.revision}.json`;
    case "execution-plan":
      return `${folder}/execution-plan.v${file.revision}.json`;
  }
}

/**
 * A marker: an HTML comment that names one thing we posted, so that it can be found again. Only
 * markers in text written by our own App count; anybody can type one.
 */
export interface Marker {
  readonly run: RunKey;
  /** `status`, `chunk-pr:api`, `answer:1234`, … */
  readonly key: string;
}

const markerPattern = /^<!-- taskfleet:([^\s]+) ([^\s]+) -->$/u;
const markerKeyPattern = /^[A-Za-z0-9:._/-]+$/u;

/** @throws TypeError on a key that could not be read back. */
export function formatMarker(marker: Marker): string {
  // A chunk id may hold "--", which would end an HTML comment early in some parsers.
  const key = marker.key.replaceAll("--", "-_");
  if (!markerKeyPattern.test(key)) throw new TypeError(`not a marker key: ${marker.key}`);
  return `<!-- taskfleet:${marker.run} ${key} -->`;
}

/**
 * The marker a text of ours carries, with its key as {@link formatMarker} wrote it. What we quote stands above it and
 * may hold markers, too, raw ones in blocks of code; people may have written something below. So it is the last line
 * that is a marker and nothing else.
 */
export function parseMarker(text: string): Marker | null {
  const lines = text.split(/\r\n|\r|\n/u).map((line) => line.trimEnd());
  const match = markerPattern.exec(lines.findLast((line) => markerPattern.test(line)) ?? "");
  const run = match?.[1];
  const key = match?.[2];
  if (run === undefined || key === undefined || !isRunKey(run) || !markerKeyPattern.test(key)) return null;
  return { run, key };
}

/** Whether a text of ours is the one with this marker. */
export function hasMarker(text: string, marker: Marker): boolean {
  const found = parseMarker(text);
  return found !== null && formatMarker(found) === formatMarker(marker);
}

export type JobSubject =
  | { readonly role: "baseline"; readonly n: number }
  | { readonly role: "plan"; readonly n: number }
  | { readonly role: "plan-review"; readonly lens: PlanLens; readonly n: number }
  | { readonly role: "implement"; readonly chunk: ChunkId; readonly n: number }
  | { readonly role: "floor"; readonly subject: string; readonly n: number }
  | { readonly role: "review"; readonly chunk: ChunkId; readonly n: number }
  | { readonly role: "final-review"; readonly n: number };

export type PlanLens = "feasibility" | "completeness" | "scope";
export const PLAN_LENSES: readonly PlanLens[] = ["feasibility", "completeness", "scope"];

/** `n` counts the dispatches of the same subject in the run, from 1, and is never used twice. */
export function formatJobId(run: RunKey, job: JobSubject): JobId {
  return `${run}/${formatJobSubject(job)}/${job.n}` as JobId;
}

/** What a job id names, or null when it is not one that {@link formatJobId} gives. */
export function parseJobSubject(job: string): JobSubject | null {
  const [, role, of = "", number] = /^[^/]+\/([a-z-]+)(?::([^/:]+))?\/([0-9]+)$/u.exec(job) ?? [];
  const n = Number(number);
  switch (role) {
    case "baseline":
    case "plan":
    case "final-review":
      return of === "" ? { role, n } : null;
    case "plan-review": {
      const lens = PLAN_LENSES.find((one) => one === of);
      return lens === undefined ? null : { role, lens, n };
    }
    case "implement":
    case "review":
      return isChunkId(of) ? { role, chunk: of, n } : null;
    case "floor":
      return of === "" ? null : { role, subject: of, n };
    default:
      return null;
  }
}

function formatJobSubject(job: JobSubject): string {
  switch (job.role) {
    case "baseline":
    case "plan":
    case "final-review":
      return job.role;
    case "plan-review":
      return `${job.role}:${job.lens}`;
    case "implement":
    case "review":
      return `${job.role}:${job.chunk}`;
    case "floor":
      return `${job.role}:${job.subject}`;
  }
}

/** The name of the workflow run that carries a job; `run-name` in the workflow file gives the same. */
export function formatRunName(role: string, job: JobId): string {
  return `taskfleet ${role} ${job}`;
}

/** The job id a workflow run's display title carries, or null for a run that is not ours. */
export function parseRunName(title: string): JobId | null {
  const match = /^taskfleet [a-z-]+ (\S+\/\S+\/[0-9]+)$/u.exec(title);
  return match?.[1] === undefined ? null : (match[1] as JobId);
}
