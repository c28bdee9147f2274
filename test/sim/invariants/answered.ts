/** Whoever may command and does is answered: not all that stands on GitHub was ever read by the App. */
import { parseCommands } from "../../../src/contracts/commands.ts";
import type { RunKey } from "../../../src/contracts/ids.ts";
import { hasMarker } from "../../../src/contracts/names.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { APP } from "../model/identities.ts";
import type { Ending } from "./end.ts";
import { listSaid, type Said } from "./sayings.ts";
import { listWritten } from "./written.ts";

/** So long after a comment the App has looked, also where no webhook came. */
const LOOKED_MS = 60 * 60_000;

/** @returns what is left without an answer, or null. */
export function findUnanswered({ model, facts, issue }: Ending, run: RunKey): string | null {
  const begunAt = facts[0]?.at ?? 0;
  const endedAt = facts.find(({ fact }) => fact.kind === "RunEnded")?.at ?? null;
  const heard = new Set(facts.flatMap(({ fact }) => (fact.kind === "CommandReceived" ? [fact.comment] : [])));
  for (const said of listSaid(model)) {
    const { number, author, at, text } = said;
    if (isAnswered(model, run, number)) continue;
    if (heard.has(number)) return `${number} was obeyed and never answered`;
    const isOfRun = at > begunAt && (endedAt === null || at < endedAt - LOOKED_MS);
    if (!isOfRun || !isWatched(model, said, issue, run)) continue;
    if (author.bot || said.editedBy(model.time.now()) !== null || !model.hasWrittenSince(author.login, at)) continue;
    if (parseCommands(text).length > 0)
      return `${author.login}'s ${JSON.stringify(text.slice(0, 30))} was never answered`;
  }
  return null;
}

function isAnswered(model: GitHubModel, run: RunKey, id: number): boolean {
  const marker = { run, key: `answer:${id}` };
  return listWritten(model).some(
    (comment) => comment.author.login === APP.login && hasMarker(comment.timeline.now, marker),
  );
}

/** The run's issue, and its pull requests as long as they are open. */
function isWatched(model: GitHubModel, { on, at }: Said, issue: number, run: RunKey): boolean {
  if (on === issue) return true;
  const pull = model.pulls.get(on);
  if (pull === undefined || !pull.head.startsWith(`taskfleet/${run}/`)) return false;
  return pull.timeline.now.state === "open" || pull.timeline.changedAt > at + LOOKED_MS;
}
