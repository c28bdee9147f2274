import { parseCommands } from "../../contracts/commands.ts";
import type { Fact } from "../../engine/fact.ts";
import { mayCommand } from "../may-command.ts";
import type { RunSession } from "../run-session.ts";

/** Commands in comments on the issue and on the run's pull requests, as they were first written, in the order of their ids. */
export async function observeComments(session: RunSession, number: number): Promise<readonly Fact[]> {
  const { state, repository } = session;
  if (!listConversations(session).includes(number)) return [];
  const comments = await repository.loadComments(number, state.startedAt - 60_000);
  const facts: Fact[] = [];
  for (const comment of [...comments].sort((a, b) => a.id - b.id)) {
    // Our own text and other bots' never command anything.
    if (comment.own || comment.author.bot) continue;
    // Who changes a comment need not be who wrote it, and its webhook commands nothing either.
    if (comment.edited) continue;
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

/** Where people may talk to the run. */
export function listConversations(session: RunSession): readonly number[] {
  const { state } = session;
  const pulls = state.chunks.rows.flatMap((chunk) => chunk.pulls.map((pull) => pull.number));
  return [state.run.issue, ...(state.featurePull === null ? [] : [state.featurePull.number]), ...pulls];
}
