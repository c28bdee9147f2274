import type { CommitNote } from "../contracts/commit-message.ts";
import { listLandedIds } from "../engine/derive/chunk-progress.ts";
import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { RunState } from "../engine/state.ts";
import { formatRun } from "./words/job-words.ts";
import { formatCommitText } from "./blocks/commit-text.ts";
import { buildVoucherTrailers, listOverrides } from "./words/override-words.ts";
import { formatCount } from "./words/amounts.ts";

/** The commit everything ends in: the verified feature on the source branch's head. The repository's own CI runs on it. */
export function buildAcceptNote(state: RunState, n: number): CommitNote {
  const accept = state.accepts.find((entry) => entry.n === n);
  const revision = deriveActiveRevision(state);
  const landed = listLandedIds(state);
  const result = accept?.review?.result;
  const criteria =
    result === undefined || result.outcome === "void"
      ? []
      : result.criteria.filter((entry) => entry.result === "pass").map((entry) => entry.criterion);
  const trailers = [...buildVoucherTrailers(listOverrides(state, { accept: n }))];
  const floorRun = formatRun(state, accept?.floor ?? null);
  const reviewRun = formatRun(state, accept?.review ?? null);
  if (floorRun !== null) trailers.push(["Floor-run", floorRun]);
  if (reviewRun !== null) trailers.push(["Review-run", reviewRun]);
  return {
    subject: formatCommitText(`feat: ${revision?.draft.title ?? state.run.title}`),
    body: [
      `${formatCount(landed.length, "chunk")}, verified together on ${state.run.source} at ${accept?.source.slice(0, 10) ?? "its head"}:`,
      landed.map((id) => `- ${formatCommitText(id)}`).join("\n"),
      criteria.map((criterion) => `- [x] ${formatCommitText(criterion.slice(0, 500))}`).join("\n"),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    run: state.run.run,
    ...(revision === null ? {} : { planRev: revision.rev }),
    trailers,
    ci: "run",
  };
}

/** The source branch's newest head, brought into what is to be accepted. */
export function buildAcceptMergeNote(state: RunState): CommitNote {
  return {
    subject: formatCommitText(`chore(taskfleet): bring ${state.run.source} into the feature`),
    run: state.run.run,
    ci: "skip",
  };
}
