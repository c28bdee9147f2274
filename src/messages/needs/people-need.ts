import type { Need } from "../../engine/derive/needs.ts";
import { listAgents } from "../../contracts/config.ts";
import { formatCode } from "../../contracts/markdown.ts";
import type { RunState } from "../../engine/state.ts";
import { formatOptions, type Option } from "../blocks/options.ts";
import { joinSections } from "../blocks/sections.ts";
import { formatSentence } from "../blocks/sentence.ts";
import { formatList } from "../words/amounts.ts";

type PeopleNeed = Extract<
  Need,
  { kind: "interference" | "stopped" | "landing" | "dropped" | "note" | "unassignable" | "checkpoint" }
>;

const CANCEL: Option = {
  command: "/cancel",
  effect: "end the run now; open pull requests are closed and the branches go away.",
};
const REPLAN: Option = {
  command: "/replan <what should be different>",
  effect: "a new plan revision. What has landed stays.",
};

/** What people did, or what only they can decide; nothing new starts until then. */
export function formatPeopleNeed(state: RunState, need: PeopleNeed): string {
  switch (need.kind) {
    case "interference": {
      const undo = need.what === "closed" ? "reopen the issue" : "set the label again";
      const minutes = state.run.config.limits.confirm_minutes;
      return joinSections(
        `Nothing new is dispatched or landed. The run is cancelled in ${minutes} minutes unless this is undone.`,
        formatOptions([CANCEL], `${undo} if it was a mistake; otherwise nothing needs to be done.`),
      );
    }
    case "stopped":
      return formatStop(need.why);
    case "landing": {
      const [first = "<chunk>"] = need.chunks;
      return joinSections(
        `${formatList(need.chunks.map(formatCode))} would land together, and ${need.lost} floor jobs on their common commit gave no result. Nothing of it says that anything is wrong with the chunks.`,
        formatOptions(
          [{ command: `/retry ${first}`, effect: "run that floor again." }, REPLAN, CANCEL],
          `look at the workflow runs, mend what keeps them from ending, then \`/retry ${first}\`.`,
        ),
      );
    }
    case "dropped":
      return joinSections(
        "There is nothing left to build, and nothing to accept.",
        formatOptions(
          [REPLAN, { command: "/retry <chunk>", effect: "take a chunk up again after all." }, CANCEL],
          "`/cancel` if the task is done with.",
        ),
      );
    case "note":
      return joinSections(
        "The run goes on with the text as it was when somebody with write access set the label.",
        formatOptions([REPLAN], "nothing, unless the edit says something that matters."),
      );
    case "unassignable": {
      const reasons = new Map((state.revisions.at(-1)?.draft.unassignable ?? []).map((one) => [one.chunk, one.reason]));
      const lines = need.chunks.map(
        (id) => `- ${formatCode(id)}: ${formatSentence(reasons.get(id) ?? "no reason was given")}`,
      );
      const [first = "<chunk>"] = need.chunks;
      return joinSections(
        `${formatList(need.chunks.map(formatCode))} cannot be given to an agent of the registry (${formatList(listAgents(state.run.config).map((agent) => formatCode(agent.name)))}):`,
        lines.join("\n"),
        formatOptions(
          [
            { command: `/take ${first}`, effect: "you implement it by hand; the same gates judge it." },
            { command: `/assign ${first} <agent>`, effect: "give it to an agent all the same." },
            { command: `/skip ${first}`, effect: "drop it." },
          ],
          "settle each of them; nothing starts before.",
        ),
      );
    }
    case "checkpoint": {
      const landed = state.chunks.rows.filter((chunk) => chunk.landed !== null);
      const next = state.chunks.rows.filter((chunk) => chunk.landed === null && !chunk.skipped);
      return joinSections(
        `A planned stop: ${formatSentence(need.reason)}`,
        [
          `- **Done:** ${formatList(landed.map((chunk) => formatCode(chunk.id)))}`,
          `- **Next:** ${next.length === 0 ? "the acceptance of the whole feature" : formatList(next.map((chunk) => formatCode(chunk.id)))}`,
        ].join("\n"),
        formatOptions(
          [{ command: "/resume", effect: "go on." }, REPLAN, CANCEL],
          "look at what has landed, then `/resume`.",
        ),
      );
    }
  }
}

function formatStop(why: Extract<PeopleNeed, { kind: "stopped" }>["why"]): string {
  switch (why) {
    case "edited":
      return joinSections(
        "The run works on the text as it was when the label was set; that text is committed as the intent. Nothing new starts until it is clear what the edit means.",
        formatOptions(
          [{ command: "/resume", effect: "go on with the intent as it was." }, REPLAN, CANCEL],
          "`/replan` with what changed, or `/resume` when nothing did.",
        ),
      );
    case "feature-closed":
      return joinSections(
        "Nothing new starts while it is closed.",
        formatOptions(
          [{ command: "/resume", effect: "open a new feature pull request and go on." }, CANCEL],
          "`/resume` if it was a mistake, otherwise `/cancel`.",
        ),
      );
    case "toolchain":
      return joinSections(
        "Results gathered with different toolchains cannot be compared. The baseline was captured again once already; the runners now report another toolchain than that.",
        formatOptions(
          [{ command: "/resume", effect: "capture the baseline once more and go on." }, CANCEL],
          "pin the toolchain in the workflow (or `floor.toolchain`), then `/resume`.",
        ),
      );
    case "rebuilt":
      return joinSections(
        "Plans, landings, pull requests and comments are as GitHub shows them. What it does not show is gone: attempts under way, how often something was tried, who approved, and what was overruled. Chunks that have not landed are built anew; pull requests that were open for them have been closed.",
        formatOptions(
          [{ command: "/resume", effect: "go on from here." }, CANCEL],
          "look at the list of chunks in the status comment, then `/resume`.",
        ),
      );
  }
}
