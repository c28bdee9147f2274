/** What an effect of ours is, in words; its key names it exactly. */
const WORDS: ReadonlyArray<readonly [prefix: string, words: string]> = [
  ["integration", "creating the integration branch"],
  ["job:", "starting a workflow run"],
  ["cancel:", "stopping a workflow run"],
  ["plan:", "committing the plan"],
  ["feature-pull", "opening the feature pull request"],
  ["feature-body", "editing the feature pull request"],
  ["feature-ready", "marking the feature pull request as ready"],
  ["approve:", "approving the plan"],
  ["commit:", "committing an attempt"],
  ["pull:", "opening a chunk's pull request"],
  ["candidate:", "building a candidate"],
  ["land:", "landing"],
  ["accept-commit:", "committing the accepted feature"],
  ["accept:", "putting the feature on the source branch's head"],
  ["merge:", "merging the feature"],
  ["comment:", "posting a comment"],
  ["status", "editing the status comment"],
  ["check:", "publishing a check"],
  ["review:", "posting a review"],
  ["close-issue", "closing the issue"],
  ["close:", "closing a pull request"],
  ["delete:", "deleting a branch"],
];

export function formatEffectWords(effect: string): string {
  return WORDS.find(([prefix]) => effect.startsWith(prefix))?.[1] ?? "an effect";
}
