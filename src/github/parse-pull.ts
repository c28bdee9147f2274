import { GitHubFailure } from "../contracts/errors.ts";
import { isSha, parseSha, type Sha } from "../contracts/ids.ts";
import type { Pull } from "./port.ts";

/** A pull request as GitHub describes it, alone or in a list (then without `merged` and `mergeable`). */
export interface PullData {
  readonly number: number;
  readonly node_id: string;
  readonly state: string;
  readonly merged_at: string | null;
  /** Gone in API version 2026-03-10. Before the merge it names a test commit. */
  readonly merge_commit_sha?: string | null;
  readonly draft?: boolean;
  readonly mergeable?: boolean | null;
  readonly head: { readonly ref: string; readonly sha: string };
  readonly base: { readonly ref: string; readonly sha: string };
  readonly title: string;
  readonly body: string | null;
  readonly html_url: string;
}

export function parsePull(data: PullData): Pull {
  const merged = data.merged_at !== null;
  return {
    number: data.number,
    nodeId: data.node_id,
    state: data.state === "open" ? "open" : "closed",
    merged,
    mergeCommit: merged ? parseMergeEvent(data.merge_commit_sha) : null,
    mergedAt: data.merged_at === null ? null : Date.parse(data.merged_at),
    draft: data.draft ?? false,
    mergeable: data.mergeable ?? null,
    head: { ref: data.head.ref, sha: parseSha(data.head.sha) },
    base: { ref: data.base.ref, sha: parseSha(data.base.sha) },
    title: data.title,
    body: data.body ?? "",
    url: data.html_url,
  };
}

export function parseMergeEvent(commit: string | null | undefined): Sha | null {
  return typeof commit === "string" && isSha(commit) ? commit : null;
}

/** @throws GitHubFailure when GitHub says that it did not merge. */
export function parseMergeSha(data: { readonly sha: string; readonly merged: boolean; readonly message: string }): Sha {
  if (!data.merged) throw new GitHubFailure("conflict", `GitHub did not merge: ${data.message}`);
  return parseSha(data.sha);
}
