import type { ChangeSet } from "../../contracts/change-set.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import type { ChunkId, Sha } from "../../contracts/ids.ts";
import type { Fact } from "../../engine/fact.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import { listProtectedAllowance } from "../../engine/derive/protected-allowance.ts";
import type { JobState } from "../../engine/state.ts";
import { checkChangeSet } from "../../floor/check-change-set.ts";
import type { ChangeSetProblem } from "../../floor/change-set-problem.ts";
import type { RepositoryPort } from "../../github/port.ts";
import type { RunSession } from "../run-session.ts";
import { type DoneResult, NOT_EXPECTED, TREE_UNLISTED, type Untaken } from "./done-result.ts";
import { findRow } from "../../engine/table.ts";

type ChangeSetPayload = Extract<DoneResult["payload"], { kind: "change-set" }>;

/** The merge guard: what is refused here is never committed. */
export async function interpretChangeSet(
  session: RunSession,
  job: JobState,
  chunk: ChunkId,
  payload: ChangeSetPayload,
  summary: string,
): Promise<readonly Fact[] | Untaken> {
  const { state, repository, fleet } = session;
  const { changeSet } = payload;
  const attempt = findRow(state.chunks, chunk)?.attempts.find((entry) => entry.job === job.job);
  if (attempt === undefined) return NOT_EXPECTED;
  const base = await repository.loadCommit(attempt.base);
  const tree = await repository.loadTree(base.tree);
  if (tree === null) return TREE_UNLISTED;
  const blobs = new Map(tree.filter((entry) => entry.type !== "tree").map((entry) => [entry.path, entry.sha]));
  const planned = deriveActiveRevision(state)?.plan.chunks.filter((entry) => entry.id === chunk) ?? [];
  const problems = checkChangeSet(changeSet, {
    basePaths: [...blobs.keys()],
    expectedBase: attempt.base,
    protectedPatterns: state.run.config.protected,
    protectedAllowed: listProtectedAllowance(state, planned),
    baseTexts: await loadPackageFiles(repository, changeSet, blobs),
  });
  const document = await fleet.store.putDocument(JSON.stringify(changeSet));
  return [
    {
      kind: "ChangeSetReceived",
      job: job.job,
      chunk,
      attempt: attempt.n,
      document,
      files: changeSet.entries.map((entry) => ({ path: entry.path, kind: entry.kind })),
      problems: listViolations(problems),
      summary: summary.slice(0, 2000),
      context: payload.context ?? null,
    },
  ];
}

/** What the merge guard refuses, as the gate of the scope says it. */
export function listViolations(problems: readonly ChangeSetProblem[]): readonly Violation[] {
  return problems.slice(0, 200).map((problem) => ({
    gate: 6,
    rule: problem.rule,
    message: problem.message,
    ...(problem.path === "" ? {} : { path: problem.path }),
  }));
}

/** `package.json` is judged by what changes in it, so its former text is needed. */
export async function loadPackageFiles(
  repository: RepositoryPort,
  changeSet: ChangeSet,
  blobs: ReadonlyMap<string, Sha>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path } of changeSet.entries) {
    const blob = /(?:^|\/)package\.json$/u.test(path) ? blobs.get(path) : undefined;
    if (blob !== undefined) texts.set(path, Buffer.from(await repository.loadBlob(blob)).toString("utf8"));
  }
  return texts;
}
