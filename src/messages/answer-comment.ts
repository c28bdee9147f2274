import { formatCode } from "../contracts/markdown.ts";
import type { Wait } from "../engine/action.ts";
import type { CommandState, RunState } from "../engine/state.ts";
import { formatMention } from "./blocks/mention.ts";
import { joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { formatWaits } from "./blocks/wait-list.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildLinks } from "./links.ts";
import { formatCommandTable, WHO_MAY_COMMAND } from "./words/command-list.ts";
import { formatCost } from "./words/cost.ts";
import { deriveHeadline } from "./words/headline.ts";

/** One answer for all commands of one comment, in the order in which they stood there. */
export function renderAnswerComment(state: RunState, comment: number, waits: readonly Wait[]): string {
  const commands = state.commands.filter((command) => command.comment === comment);
  const by = commands[0]?.by;
  const names = new Set(commands.map((command) => command.name));
  const body = joinSections(
    by === undefined ? "" : `${formatMention(by)}:`,
    commands.map((command) => `- ${formatOutcome(command)}`).join("\n"),
    names.has("status") ? formatShortStatus(state, waits) : "",
    names.has("help") || names.has("unknown") ? `${WHO_MAY_COMMAND}\n\n${formatCommandTable()}` : "",
  );
  return cutMarkdown(body, BODY_LIMIT);
}

function formatOutcome(command: CommandState): string {
  const typed = command.name === "unknown" ? command.args : `/${command.name} ${command.args}`.trim();
  const icon = command.accepted ? "✅" : "❌";
  return `${icon} ${formatCode(cutText(typed, 100))}${command.answer === "" ? "" : `: ${formatSentence(command.answer)}`}`;
}

function formatShortStatus(state: RunState, waits: readonly Wait[]): string {
  const links = buildLinks(state);
  const { icon, sentence, needed, url } = deriveHeadline(state, state.at);
  const status = state.comments["status"];
  return joinSections(
    `${icon} **${formatSentence(sentence)}**`,
    needed === "" ? "" : `Needed: ${formatSentence(needed)}${url === null ? "" : ` ([go there](${url}))`}`,
    waits.length === 0 ? "" : `It waits for:\n\n${formatWaits(state, waits.slice(0, 10), links)}`,
    `Cost so far: ${formatCost(state)}.${status === undefined ? "" : ` [All of it](${status.url})`}`,
  );
}
