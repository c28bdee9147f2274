import { formatTableCode } from "../contracts/markdown.ts";
import { CONFIG_PATH, LABEL } from "../contracts/names.ts";
import { formatSentenceCell } from "./blocks/sentence.ts";
import { joinSections } from "./blocks/sections.ts";
import { formatTable } from "./blocks/table.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { formatCount } from "./words/amounts.ts";

export interface ConfigProblem {
  /** JSON pointer into the configuration; "" is the whole file. */
  readonly pointer: string;
  readonly message: string;
  /** 1-based, where known. */
  readonly line?: number;
}

/** All that is wrong with the configuration file, each with its place. */
export function renderConfigProblems(problems: readonly ConfigProblem[]): string {
  const body = joinSections(
    `### 🛑 Not started: \`${CONFIG_PATH}\` has ${formatCount(problems.length, "problem")}`,
    formatTable(
      ["Line", "Where", "What is wrong"],
      problems.map(({ pointer, message, line }) => [
        line === undefined ? "" : `${line}`,
        pointer === "" ? "the whole file" : formatTableCode(pointer),
        formatSentenceCell(message),
      ]),
    ),
    `The file is read from the default branch. When it is mended there, take the label \`${LABEL}\` off the issue and set it again.`,
  );
  return cutMarkdown(body, BODY_LIMIT);
}
