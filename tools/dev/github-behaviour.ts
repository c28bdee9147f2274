/** docs/github-behaviour.md: the rows of the contract, as they are tried. */
import { areas } from "../../test/github-contract/areas.ts";
import { type Behaviour, formatExpected } from "../../test/github-contract/behaviour.ts";
import { CONTRACT_WORKFLOW, type Row } from "../../test/github-contract/ground.ts";
import { knownDifferences } from "../../test/github-contract/known-differences.ts";
import { portRows } from "../../test/github-contract/port-rows.ts";

export function formatGitHubBehaviour(): string {
  const rows = areas.flatMap((area) => area.rows);
  const real = rows.filter(({ on }) => on !== "sandbox").length;
  return [
    "# How GitHub behaves",
    "",
    "Generated from `test/github-contract` by `npm run generate`: not to be edited.",
    "",
    `What the App relies on, ${rows.length} rows about GitHub's API and ${portRows.length} about our port to it, each with where it is written. The tests`,
    "ask every row of the local GitHub (`npm run contract` does the same and prints it), and those of the port also of",
    "the simulation's model. A row that the local GitHub answers more kindly than GitHub is a defect.",
    "",
    "    GITHUB_TOKEN=… npm run contract -- --github owner/repo [--only github]",
    "",
    `asks ${real} of the rows of a real repository, too, at GitHub or at the server of \`GITHUB_API_URL\`. It makes branches, pull`,
    "requests and issues there and takes them away again, slowly (a second between two writes), so give it a repository",
    "that nobody needs. Rows for Apps need an installation's token; rows about workflow runs need the file",
    `\`${CONTRACT_WORKFLOW.path}\` on the default branch, with this text:`,
    "",
    "```yaml",
    CONTRACT_WORKFLOW.text.trimEnd(),
    "```",
    "",
    "No row has been asked of GitHub by the project's own tests: they have no account. The column says whether it can be.",
    "",
    ...areas.flatMap(({ title, rows: own }) => [
      `## ${title}`,
      "",
      "| what happens | expected | source | on GitHub |",
      "|---|---|---|---|",
      ...own.map((row) => `| ${formatBehaviour(row)} | ${formatWhere(row)} |`),
      "",
    ]),
    "## Through the port",
    "",
    "A conflict is something that stands elsewhere than we thought, terminal is what no repetition helps, misconfigured is for a",
    "person to mend ([errors.ts](../src/contracts/errors.ts)). Asked of the local GitHub and of the simulation's model.",
    "",
    "| what happens | expected | source |",
    "|---|---|---|",
    ...portRows.map((row) => `| ${formatBehaviour(row)} |`),
    "",
    "## Known differences",
    "",
    "Where the local GitHub and the model are not like GitHub, and why the App is right all the same. *Kinder*: something passes",
    "here that GitHub would refuse or delay. *Absent*: requests for it answer 501.",
    "",
    "| what | kind | why it does no harm |",
    "|---|---|---|",
    ...knownDifferences.map(({ what, kind, answer }) => `| ${what} | ${kind} | ${answer} |`),
    "",
  ].join("\n");
}

function formatBehaviour(row: Behaviour<never>): string {
  const expected = `\`${formatExpected(row.expected).replaceAll("|", "\\|")}\``;
  return `${row.does} | ${expected} | ${row.sources.map(formatSource).join(", ")}`;
}

function formatSource(url: string): string {
  const { hostname, pathname } = new URL(url);
  const isReport = /\/(?:issues|pull|discussions)\/\d+$/u.test(pathname);
  const name = isReport
    ? pathname
        .split("/")
        .slice(1)
        .join("/")
        .replace(/\/(?:issues|pull|discussions)\//u, "#")
    : hostname === "docs.github.com"
      ? "docs"
      : hostname;
  return `[${name}](${url})`;
}

function formatWhere(row: Row): string {
  switch (row.on) {
    case "everywhere":
      return "yes";
    case "app":
      return "as an App";
    case "workflow":
      return "with the workflow";
    case "sandbox":
      return `no: ${row.because}`;
  }
}
