import type { CommitNote } from "../contracts/commit-message.ts";
import type { ChunkId } from "../contracts/ids.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { RunState } from "../engine/state.ts";
import { formatRun } from "./words/job-words.ts";
import { formatCommitText } from "./blocks/commit-text.ts";
import { buildVoucherTrailers, listOverrides } from "./words/override-words.ts";
import { formatCount } from "./words/amounts.ts";
import { findRow } from "../engine/table.ts";

/** What one chunk brings to a landing's record. */
interface Landing {
  readonly chunk: ChunkId;
  readonly title: string;
  /** Lines of the checklist. */
  readonly criteria: readonly string[];
  readonly attempt: number | null;
  readonly floorRun: string | null;
  readonly reviewRun: string | null;
}

/** The record of a landing: the verified criteria as a checklist, and the runs that verified them. */
export function buildLandingNote(state: RunState, chunks: readonly ChunkId[]): CommitNote {
  const landings = chunks.map((chunk) => buildLanding(state, chunk));
  const [only] = landings;
  const single = landings.length === 1 && only !== undefined;
  const overrides = landings.flatMap(({ chunk, attempt }) =>
    attempt === null ? [] : listOverrides(state, { chunk, attempt }),
  );
  const trailers = [...buildVoucherTrailers(overrides)];
  const candidateRun = findCandidateRun(state, chunks);
  for (const { chunk, floorRun, reviewRun } of landings) {
    const suffix = single ? "" : ` (${chunk})`;
    if (floorRun !== null) trailers.push(["Floor-run", `${floorRun}${suffix}`]);
    if (reviewRun !== null) trailers.push(["Review-run", `${reviewRun}${suffix}`]);
  }
  if (candidateRun !== null) trailers.push(["Floor-run", `${candidateRun}${single ? "" : " (together)"}`]);
  const planRev = state.approved?.rev;
  return {
    subject: single
      ? formatCommitText(`feat(${only.chunk}): ${only.title}`)
      : formatCommitText(`feat: ${formatCount(landings.length, "chunk")}: ${chunks.join(", ")}`),
    body: landings.map((landing) => formatLanding(landing, single)).join("\n\n"),
    run: state.run.run,
    ...(planRev === undefined ? {} : { planRev }),
    ...(single && only.attempt !== null ? { attempt: `${only.chunk}/${only.attempt}` } : {}),
    trailers,
    ci: "skip",
  };
}

function buildLanding(state: RunState, chunk: ChunkId): Landing {
  const definition = deriveActiveRevision(state)?.plan.chunks.find((entry) => entry.id === chunk);
  const attempt = findRow(state.chunks, chunk)?.attempts.at(-1);
  const result = attempt?.review?.result;
  return {
    chunk,
    title: definition?.title ?? chunk,
    criteria:
      result === undefined || result.outcome === "void"
        ? []
        : result.criteria.map(
            (entry) =>
              `- [${entry.result === "pass" ? "x" : " "}] ${formatCommitText(entry.criterion.slice(0, 500))}${entry.result === "pass" ? "" : " (overruled)"}`,
          ),
    attempt: attempt?.n ?? null,
    floorRun: formatRun(state, attempt?.floor ?? null),
    reviewRun: formatRun(state, attempt?.review ?? null),
  };
}

function formatLanding(landing: Landing, single: boolean): string {
  const heading = single ? [] : [formatCommitText(`${landing.chunk}: ${landing.title}`)];
  return [...heading, ...landing.criteria].join("\n");
}

/** The run that verified a candidate of exactly these chunks, when they land as one. */
function findCandidateRun(state: RunState, chunks: readonly ChunkId[]): string | null {
  const candidate = state.candidates.rows.findLast(
    (entry) =>
      entry.floor?.result.outcome === "pass" &&
      entry.base === state.integration?.tip &&
      entry.chunks.length === chunks.length &&
      entry.chunks.every((chunk) => chunks.includes(chunk)),
  );
  return formatRun(state, candidate?.floor ?? null);
}

/** A candidate is no landing yet: it only says what rides together. */
export function buildCandidateNote(state: RunState, chunks: readonly ChunkId[]): CommitNote {
  const planRev = state.approved?.rev;
  return {
    subject: formatCommitText(`chore(taskfleet): try ${chunks.join(", ")} together on the integration tip`),
    run: state.run.run,
    ...(planRev === undefined ? {} : { planRev }),
    ci: "skip",
  };
}
