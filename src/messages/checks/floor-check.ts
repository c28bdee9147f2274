import type { ChunkId, JobId, Sha } from "../../contracts/ids.ts";
import type { FloorResult } from "../../contracts/floor-result.ts";
import { formatCode, formatCodeBlock } from "../../contracts/markdown.ts";
import { formatEvidencePath } from "../../contracts/names.ts";
import { listOpenGates } from "../../engine/derive/overrides.ts";
import type { AttemptState, CandidateState, RunState } from "../../engine/state.ts";
import { formatFloorVerdict, formatGateTable } from "../blocks/gate-table.ts";
import { formatOverrideList } from "../blocks/override-list.ts";
import { formatSection, joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { formatViolationList } from "../blocks/violation-list.ts";
import { buildLinks, type Links } from "../links.ts";
import { formatCount, formatList } from "../words/amounts.ts";
import { listOverrides } from "../words/override-words.ts";
import { findRunLink } from "../words/job-words.ts";
import { buildViolationAnnotations } from "./annotations.ts";
import { buildCheck } from "./build-check.ts";
import type { CheckText } from "./check-text.ts";
import { renderUnknown } from "./unknown-check.ts";
import { findRow } from "../../engine/table.ts";

/** The floor's verdict on one attempt, or why its change set was refused before anything was run. */
export function renderFloorCheck(state: RunState, chunk: ChunkId, attempt: number): CheckText {
  const entry = findRow(state.chunks, chunk)?.attempts.find((candidate) => candidate.n === attempt);
  const links = buildLinks(state);
  if (entry === undefined) return renderUnknown(`attempt ${attempt} of ${chunk}`);
  if (entry.floor === null) return renderRefused(chunk, entry, links);
  const { result, job } = entry.floor;
  const verdict = result.outcome === "pass" ? "passed" : "failed";
  const overrides = listOverrides(state, { chunk, attempt });
  const open = listOpenGates(result, state, { chunk, attempt, accept: null });
  const overruled = result.outcome === "fail" && overrides.length > 0 && open.length === 0;
  return buildCheck({
    title: `Attempt ${attempt} of ${chunk} ${verdict} the floor${overruled ? " and was overruled" : ""}: ${formatFloorVerdict(result)}`,
    summary: joinSections(
      `${result.outcome === "pass" ? "✅" : "❌"} **Attempt ${attempt} of ${formatCode(chunk)} ${verdict} the floor.** ${formatSentence(formatFloorVerdict(result))}.`,
      formatOverrideList(overrides),
      formatGateTable(result),
      formatOrigin(state, job, entry.head, links),
    ),
    text: joinSections(
      formatFloorText(result, links, entry.head),
      formatReproduction(state, entry.base, entry.head, chunk),
    ),
    // What a person overruled is not green: it has not passed.
    conclusion: result.outcome === "pass" ? "success" : overruled ? "neutral" : "failure",
    annotations: buildViolationAnnotations(result.violations),
  });
}

/** The floor of chunks together with what has landed. */
export function renderCandidateCheck(state: RunState, candidate: CandidateState): CheckText {
  const links = buildLinks(state);
  const ids = formatList(candidate.chunks.map(formatCode));
  if (candidate.floor === null) return renderUnknown(`candidate ${candidate.hash}`);
  const { result, job } = candidate.floor;
  const passed = result.outcome === "pass";
  const next = passed
    ? "This very tree lands."
    : candidate.chunks.length > 1
      ? "They are tried again in smaller groups, to find out which of them it is."
      : "The chunk is tried again on what has landed.";
  return buildCheck({
    title: `${formatCount(candidate.chunks.length, "chunk")} together ${passed ? "passed" : "failed"}: ${formatFloorVerdict(result)}`,
    summary: joinSections(
      `${passed ? "✅" : "❌"} **${ids} on what has landed: ${passed ? "passed" : "failed"}.** ${formatSentence(formatFloorVerdict(result))}. ${next}`,
      formatGateTable(result),
      formatOrigin(state, job, candidate.commit, links),
    ),
    text: joinSections(
      formatFloorText(result, links, candidate.commit),
      formatReproduction(state, candidate.base, candidate.commit, null),
    ),
    conclusion: passed ? "success" : "failure",
    annotations: buildViolationAnnotations(result.violations),
  });
}

/** The same gates on anybody's machine, for the commit this check stands on. */
function formatReproduction(state: RunState, base: Sha, head: Sha | null, chunk: ChunkId | null): string {
  if (head === null) return "";
  const plan = formatEvidencePath(state.run.run, { kind: "current-plan" });
  const lines = [
    `git fetch origin ${base} ${head}`,
    `git show ${head}:${plan} > plan.json`,
    `npx taskfleet floor run --base ${base} --head ${head} --plan plan.json${chunk === null ? "" : ` --chunk ${chunk}`}`,
  ];
  return `### The same on your machine\n\n${formatCodeBlock(lines.join("\n"), "sh")}`;
}

export function formatFloorText(result: FloorResult, links: Links, commit: Sha | null): string {
  return formatSection("### What is violated", formatViolationList(result.violations, links, commit, result.more));
}

function renderRefused(chunk: ChunkId, attempt: AttemptState, links: Links): CheckText {
  const { problems, head } = attempt;
  if (head !== null)
    return buildCheck({
      title: `Attempt ${attempt.n} of ${chunk} was refused as it was pushed: ${formatCount(problems.length, "problem")}`,
      summary: joinSections(
        `❌ **Attempt ${attempt.n} of ${formatCode(chunk)} was refused as it was pushed.** Nothing is run on it and nobody reviews it. Another push to this branch is judged anew.`,
        formatViolationList(problems, links, head),
      ),
      conclusion: "failure",
      annotations: buildViolationAnnotations(problems),
    });
  return buildCheck({
    title: `Attempt ${attempt.n} of ${chunk} was refused before any commit: ${formatCount(problems.length, "problem")}`,
    summary: joinSections(
      `❌ **Attempt ${attempt.n} of ${formatCode(chunk)} was refused before any commit.** This check stands on the branch's last commit because the change set never became one.`,
      formatViolationList(problems, links, null),
    ),
    // The refused files are not in the tree the check stands on: nothing can be annotated.
    conclusion: "failure",
  });
}

function formatOrigin(state: RunState, job: JobId, commit: Sha | null, links: Links): string {
  const url = findRunLink(findRow(state.jobs, job), links);
  const run = url === null ? "a workflow run" : `[a workflow run](${url})`;
  const tree = commit === null ? "" : ` of [\`${commit.slice(0, 10)}\`](${links.commit(commit)})`;
  return `<sub>Computed by the App from the captures${tree} that ${run} gathered on a clean machine without secrets.</sub>`;
}
