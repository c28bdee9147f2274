import { emitIssue } from "../issues/emit-issue.ts";
import { recordEvent } from "../issues/record-event.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { emitPull } from "./emit-pull.ts";

/** Closes an open pull request without merging it. */
export async function closePull(
  services: Services,
  repository: Repository,
  pull: Pull,
  sender: Account,
): Promise<void> {
  const issue = findPullIssue(repository, pull);
  if (issue.state === "closed") return;
  const at = services.world.now();
  issue.state = "closed";
  issue.closedAt = at;
  issue.closedBy = sender;
  issue.updatedAt = at;
  pull.closedHeadSha = pull.headSha;
  recordEvent(services, repository, pull.number, { actor: sender, detail: { event: "closed", reason: null } });
  await emitPull(services, repository, pull, { action: "closed", sender });
}

/** Records a merge that has happened in git: closes the pull request and the issues its body names. */
export async function markMerged(
  services: Services,
  repository: Repository,
  pull: Pull,
  merge: { readonly sender: Account; readonly commitSha: string },
): Promise<void> {
  const issue = findPullIssue(repository, pull);
  if (issue.state === "closed") return;
  const at = services.world.now();
  issue.state = "closed";
  issue.closedAt = at;
  issue.closedBy = merge.sender;
  issue.updatedAt = at;
  pull.mergedAt = at;
  pull.mergedBy = merge.sender;
  pull.mergeCommitSha = merge.commitSha;
  const actor = merge.sender;
  recordEvent(services, repository, pull.number, {
    actor,
    detail: { event: "merged", commitId: merge.commitSha, baseRef: pull.baseRef },
  });
  recordEvent(services, repository, pull.number, { actor, detail: { event: "closed", reason: null } });
  await emitPull(services, repository, pull, { action: "closed", sender: merge.sender });
  // Closing keywords work only on the default branch.
  // https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
  if (pull.baseRef === repository.defaultBranch) {
    for (const number of parseClosingKeywords(issue.body ?? "")) {
      closeIssue(services, repository, number, merge.sender);
    }
  }
}

function closeIssue(services: Services, repository: Repository, number: number, sender: Account): void {
  const issue = repository.issues.get(number);
  if (issue === undefined || issue.state === "closed" || repository.pulls.has(number)) return;
  const at = services.world.now();
  issue.state = "closed";
  issue.stateReason = "completed";
  issue.closedAt = at;
  issue.closedBy = sender;
  issue.updatedAt = at;
  recordEvent(services, repository, number, { actor: sender, detail: { event: "closed", reason: "completed" } });
  emitIssue(services, repository, issue, { action: "closed", sender });
}

/** Issue numbers after close, fix, resolve and their forms. */
function parseClosingKeywords(text: string): number[] {
  const found = text.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)/gi);
  return [...new Set([...found].map((match) => Number(match[1])))];
}
