import type { ChunkId, Sha } from "../../contracts/ids.ts";
import { parseTrailer } from "../../contracts/commit-message.ts";
import { formatBranch, formatEvidenceFolder } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { deriveNextAttempt } from "../../engine/derive/jobs.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import type { Chunk } from "../../contracts/plan.ts";
import { listProtectedAllowance } from "../../engine/derive/protected-allowance.ts";
import type { ChunkState, RunState } from "../../engine/state.ts";
import { checkChangeSet } from "../../floor/check-change-set.ts";
import { listViolations, loadPackageFiles } from "../results/change-set.ts";
import { type LoadedChangeSet, loadChangeSet } from "../results/load-change-set.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/**
 * Somebody else's push to a chunk's branch: an attempt by a person, judged like any other.
 * @param by who pushed, when a webhook said so.
 */
export async function observeChunkBranch(
  session: RunSession,
  id: ChunkId,
  by: string | null,
): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const chunk = findRow(state.chunks, id);
  if (chunk === undefined || chunk.landed !== null || chunk.skipped) return [];
  const head = await repository.loadBranch(formatBranch({ kind: "chunk", run: state.run.run, chunk: id }));
  if (head === null || isKnown(chunk, head)) return [];
  const { message } = await repository.loadCommit(head);
  return isOurs(state, chunk, message, by) ? [] : readPush(session, id, head, by);
}

/**
 * What a head of a chunk's branch that is no commit of ours means: a person's attempt, or nothing where it brings
 * nothing new to the integration branch, or is where the branch was left before.
 */
export async function readPush(
  session: RunSession,
  id: ChunkId,
  head: Sha,
  by: string | null,
): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const chunk = findRow(state.chunks, id);
  const plan = deriveActiveRevision(state)?.plan;
  const definition = plan?.chunks.find((entry) => entry.id === id);
  const tip = state.integration?.tip;
  if (chunk === undefined || definition === undefined || tip === undefined || chunk.landed !== null || chunk.skipped)
    return [];
  if (isKnown(chunk, head)) return [];
  const { tree } = await repository.loadCommit(head);
  const { mergeBase } = await repository.loadComparison(tip, head);
  if (head === mergeBase) return [];
  const pushed = {
    kind: "PersonPushed",
    chunk: id,
    attempt: deriveNextAttempt(state, chunk),
    by: by ?? "somebody",
    head,
    tree,
  } as const;
  if (mergeBase === null) return [{ ...pushed, base: tip, files: [], problems: [UNRELATED] }];
  const loaded = await loadChangeSet(repository, mergeBase, head);
  const entries = loaded?.changeSet.entries ?? [];
  return [
    {
      ...pushed,
      base: mergeBase,
      files: entries
        .filter(({ path }) => !path.startsWith(`${formatEvidenceFolder(state.run.run)}/`))
        .map(({ path, kind }) => ({ path, kind })),
      problems: loaded === null ? [UNLISTED] : await judgeChanges(session, definition, loaded),
    },
  ];
}

/**
 * Whether it is a commit of ours whose fact a crash has swallowed. Its message alone is no proof: who amends a commit
 * of ours keeps the trailers. So the attempt must be one whose commit is missing; of one that a lost store has
 * forgotten only the person who pushed can tell.
 */
export function isOurs(state: RunState, chunk: ChunkState, message: string, by: string | null): boolean {
  if (parseTrailer(message, "Taskfleet-Run") !== state.run.run) return false;
  const [id, number] = parseTrailer(message, "Taskfleet-Attempt")?.split("/") ?? [];
  if (id !== chunk.id || number === undefined || !/^[0-9]+$/u.test(number)) return false;
  const attempt = chunk.attempts.find(({ n }) => n === Number(number));
  if (attempt === undefined) return by === null && Number(number) <= state.countBase;
  return attempt.document !== null && attempt.head === null;
}

function isKnown(
  chunk: {
    readonly attempts: ReadonlyArray<{ readonly head: Sha | null; readonly base: Sha }>;
    readonly taken: { readonly base: Sha | null } | null;
  },
  head: Sha,
): boolean {
  return chunk.taken?.base === head || chunk.attempts.some((attempt) => attempt.head === head || attempt.base === head);
}

const UNLISTED: Violation = {
  gate: 6,
  rule: "unknown",
  message: "GitHub does not list the whole tree, so the change cannot be checked.",
};

const UNRELATED: Violation = {
  gate: 6,
  rule: "unrelated",
  message: "The pushed commit has no history in common with the integration branch, so there is no change to check.",
};

/** The same guard as for an agent's change set, over a commit that exists already. */
async function judgeChanges(
  { state, repository }: RunSession,
  definition: Chunk,
  { changeSet, base }: LoadedChangeSet,
): Promise<readonly Violation[]> {
  const problems = checkChangeSet(changeSet, {
    basePaths: [...base.keys()],
    expectedBase: null,
    protectedPatterns: state.run.config.protected,
    protectedAllowed: listProtectedAllowance(state, [definition]),
    baseTexts: await loadPackageFiles(repository, changeSet, base),
  });
  // Whether anything is left to be done is the floor's business: what others landed may have done it.
  return listViolations(problems.filter(({ rule }) => rule !== "empty"));
}
