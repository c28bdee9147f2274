import { parseCommands } from "../../contracts/commands.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import { formatSaying } from "../../contracts/saying.ts";
import type { Fact } from "../../engine/fact.ts";
import type { Actor, Comment, Review } from "../../github/port.ts";
import { mayCommand } from "../may-command.ts";
import type { RunSession } from "../run-session.ts";

/** GitHub's clock and ours may differ by this much. */
const CLOCKS_MS = 60_000;

/** A comment, or a review that says something. */
interface Said {
  readonly number: number;
  readonly body: string;
  readonly author: Actor;
  readonly at: number;
}

/** Commands in comments and reviews on the issue or one of the run's pull requests, in the order in which they were given. */
export async function observeComments(
  session: RunSession,
  number: number,
  reviews: readonly Review[],
): Promise<readonly Fact[]> {
  const { state, repository } = session;
  if (!listConversations(session).includes(number)) return [];
  const since = state.startedAt - CLOCKS_MS;
  const comments = await loadComments(session, number, since);
  const facts: Fact[] = [];
  for (const said of [...listSaid(comments, reviews)].sort((a, b) => a.at - b.at || a.number - b.number)) {
    // GitHub counts from a comment's last change: what is older was not said to this run.
    if (said.at < since) continue;
    if (state.commands.some((command) => command.comment === said.number)) continue;
    // Answered before the store was lost.
    if (state.comments[`answer:${said.number}`] !== undefined) continue;
    // What a stranger wrote stays without effect, also when they are given access later.
    if (state.strangers.some((stranger) => stranger.comment === said.number)) continue;
    const commands = parseCommands(said.body);
    if (commands.length === 0) continue;
    const { login } = said.author;
    if (!mayCommand(await repository.loadRole(login))) {
      facts.push({ kind: "StrangerRefused", login, on: number, comment: said.number });
      continue;
    }
    commands.forEach((command, line) =>
      facts.push({
        kind: "CommandReceived",
        comment: said.number,
        line,
        on: number,
        by: login,
        name: command.name,
        args: command.name === "unknown" ? `/${command.written} ${command.args}`.trim() : command.args,
      }),
    );
  }
  return facts;
}

/** What may hold commands. Our own text and other bots' never command anything. */
function listSaid(comments: readonly Comment[], reviews: readonly Review[]): readonly Said[] {
  return [
    ...comments.flatMap(({ id, body, author, own, createdAt, edited }): readonly Said[] =>
      // Who changes a comment need not be who wrote it, and its webhook commands nothing either.
      own || author.bot || edited
        ? []
        : [{ number: formatSaying({ kind: "comment", id }), body, author, at: createdAt }],
    ),
    // GitHub does not tell whether a review was edited. Nobody but its author can who could not command as well
    // (docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization).
    ...reviews.flatMap(({ id, body, author, own, state, submittedAt }): readonly Said[] =>
      own || author.bot || state === "PENDING"
        ? []
        : [{ number: formatSaying({ kind: "review", id }), body, author, at: submittedAt }],
    ),
  ];
}

/** Nothing is said any more on an issue that was deleted or transferred; the run's pull requests are still there. */
async function loadComments(session: RunSession, number: number, since: number): Promise<readonly Comment[]> {
  const { state, repository } = session;
  try {
    return await repository.loadComments(number, since);
  } catch (error) {
    if (number !== state.run.issue || !(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
    if ((await repository.loadIssue(number)) !== null) throw error;
    return [];
  }
}

/** Where people may talk to the run. */
export function listConversations(session: RunSession): readonly number[] {
  const { state } = session;
  const pulls = state.chunks.rows.flatMap((chunk) => chunk.pulls.map((pull) => pull.number));
  return [state.run.issue, ...(state.featurePull === null ? [] : [state.featurePull.number]), ...pulls];
}
