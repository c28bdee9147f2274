import { deriveActiveRevision } from "../engine/derive/plan-progress.ts";
import type { RunState } from "../engine/state.ts";
import { formatCommitText } from "./blocks/commit-text.ts";

/**
 * The commit message of a merge through the pull request, where a rule demands one. It carries no
 * trailer that skips checks, and no text of the issue that could act (references, skip instructions).
 */
export function renderFeatureMerge(state: RunState): { readonly title: string; readonly message: string } {
  const pull = state.featurePull === null ? "" : ` (#${state.featurePull.number})`;
  const title = formatCommitText(deriveActiveRevision(state)?.draft.title ?? state.run.title).slice(0, 180);
  return { title: `${title}${pull}`, message: `Closes #${state.run.issue}\n\nTaskfleet-Run: ${state.run.run}` };
}
