/**
 * A label says: build what this issue says. Whose text that is may change between the label and the moment the App
 * looks (seconds, or hours after an outage), and whoever wrote the issue may edit it. So the text must be the one the
 * label was set over: the signed webhook holds it, or GitHub shows that nothing on the issue has changed since.
 */
import { formatRunKey } from "../../contracts/ids.ts";
import { LABEL, type Marker } from "../../contracts/names.ts";
import type { Issue, RepositoryPort } from "../../github/port.ts";
import type { Fleet } from "../context.ts";
import { loadTold } from "../post-once.ts";
import { hashIssueText, type IntakeHint } from "./intake-hint.ts";
import { isLabelAnswered } from "./is-label-answered.ts";

export type LabelJudgement =
  | {
      readonly outcome: "standing";
      readonly by: string;
      readonly bot: boolean;
      /** `edited`: it is not what the label was set over. `unclear`: GitHub does not tell what has changed since. */
      readonly text: "as-labeled" | "edited" | "unclear";
      /** When the label was set (ms). */
      readonly at: number;
    }
  /** GitHub's replicas agree from this time on (ms). */
  | { readonly outcome: "later"; readonly at: number }
  /** Nobody's label any more, or one the App has spoken about. */
  | { readonly outcome: "settled" };

/** Names the comment that asks for a label anew. */
export function buildEditedMarker(issue: number, at: number): Marker {
  return { run: formatRunKey(issue, 1, "intake"), key: `edited:${at}` };
}

/** @param issue read just before; its text is what would be built. */
export async function judgeLabel(
  fleet: Pick<Fleet, "clock" | "timing" | "store">,
  repository: RepositoryPort,
  issue: Issue,
  hint: IntakeHint,
): Promise<LabelJudgement> {
  const { by, bot, text: seen } = hint;
  const hasSettled = (at: number): boolean => fleet.clock.now() >= at + fleet.timing.staleReadMs;
  const later = (at: number): LabelJudgement => ({ outcome: "later", at: at + fleet.timing.staleReadMs });
  if (seen !== null) {
    if (hashIssueText(issue) === seen.hash) return { outcome: "standing", by, bot, text: "as-labeled", at: seen.at };
    // What a replica that lags behind shows may be what stood there before the label.
    if (!hasSettled(seen.at)) return later(seen.at);
  }
  const labeling = await repository.loadLabeling(issue.number, LABEL);
  if (labeling === null)
    return seen === null ? { outcome: "settled" } : { outcome: "standing", by, bot, text: "edited", at: seen.at };
  const { at } = labeling;
  const own = { outcome: "standing", by: labeling.by.login, bot: labeling.by.bot, at } as const;
  if (seen !== null && at <= seen.at)
    return (await isLabelAnswered(repository, issue.number, labeling))
      ? { outcome: "settled" }
      : { ...own, text: "edited" };
  // Set when no webhook told, or once more since this one was sent: then it is the later one that counts.
  if (!hasSettled(at)) return later(at);
  if (await isLabelAnswered(repository, issue.number, labeling)) return { outcome: "settled" };
  // A webhook has shown that it is not; replicas need not show yet what was said of it.
  const told = await loadTold(fleet, repository, issue.number, buildEditedMarker(issue.number, at));
  if (told === "done") return { outcome: "settled" };
  // GitHub's API has no list of edits. A label is a change, too, and times are whole seconds of GitHub's clock: an edit
  // within the second of the label is not seen here, where no webhook came in all the time.
  if (issue.updatedAt > at) return { ...own, text: "unclear" };
  // What could not be said yet is still to be said, and starts nothing.
  return { ...own, text: told === "begun" ? "edited" : "as-labeled" };
}
