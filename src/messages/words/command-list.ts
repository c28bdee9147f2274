import { formatTable } from "../blocks/table.ts";

const COMMANDS: ReadonlyArray<readonly [command: string, effect: string]> = [
  ["/approve [hash]", "Approve the plan revision shown last; with the beginning of its hash, exactly that one."],
  ["/replan [what should be different]", "Pause and have a new plan revision written. What has landed stays."],
  ["/retry <chunk>", "Give a chunk fresh tries."],
  ["/skip <chunk>", "Drop a chunk; what depends on it goes on without it."],
  ["/assign <chunk> <agent>", "Give a chunk to another agent, with fresh tries."],
  ["/take <chunk>", "Implement a chunk by hand: what you push to its branch is judged by the same gates."],
  ["/override <gate> <why>", "Overrule what a gate found; recorded with the reason and shown in the report."],
  ["/pause", "Start and land nothing new."],
  ["/resume", "Go on after a pause or a checkpoint."],
  ["/cancel", "End the run: jobs are stopped, nothing lands any more, the branches go away."],
  ["/status", "Say where the run stands."],
  ["/help", "Show this table."],
];

/** What can be typed, as a table. Commands stand in code, so that our own text never looks like one. */
export function formatCommandTable(): string {
  return formatTable(
    ["Command", "What it does"],
    COMMANDS.map(([command, effect]) => [`\`${command}\``, effect]),
  );
}

export const WHO_MAY_COMMAND =
  "Commands stand in comments on the issue or on a pull request of the run, or in the text of a review of one, each at the start of a line, by people with write access.";
