import { parseCommands } from "../../contracts/commands.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import type { Fact } from "../../engine/fact.ts";
import type { Comment } from "../../github/port.ts";
import { mayCommand } from "../may-command.ts";
import type { RunSession } from "../run-session.ts";

/** GitHub's clock and ours may differ by this much. */
const CLOCKS_MS = 60_000;

/** Commands in comments on the issue and on the run's pull requests, in the order of their ids. */
export async function observeComments(session: RunSession, number: number): Promise<readonly Fact[]> {
  const { state, repository } = session;
  if (!listConversations(session).includes(number)) return [];
  const since = state.startedAt - CLOCKS_MS;
  const comments = await loadComments(session, number, since);
  const facts: Fact[] = [];
  for (const comment of [...comments].sort((a, b) => a.id - b.id)) {
    // Our own text and other bots' never command anything.
    if (comment.own || comment.author.bot) continue;
    // Who changes a comment need not be who wrote it, and its webhook commands nothing either.
    if (comment.edited) continue;
    // GitHub counts from a comment's last change: what is older was not said to this run.
    if (comment.createdAt < since) continue;
    if (state.commands.some((command) => command.comment === comment.id)) continue;
    // Answered before the store was lost.
    if (state.comments[`answer:${comment.id}`] !== undefined) continue;
    // What a stranger wrote stays without effect, also when they are given access later.
    if (state.strangers.some((stranger) => stranger.comment === comment.id)) continue;
    const commands = parseCommands(comment.body);
    if (commands.length === 0) continue;
    const { login } = comment.author;
    if (!mayCommand(await repository.loadRole(login))) {
      facts.push({ kind: "StrangerRefused", login, on: number, comment: comment.id });
      continue;
    }
    commands.forEach((command, line) =>
      facts.push({
        kind: "CommandReceived",
        comment: comment.id,
        line,
        on: number,
        by: login,
        name: command.name,
        args: command.args,
      }),
    );
  }
  return facts;
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
