/**
 * `npm run contract [-- --github owner/repo]`: asks every row of the contract (docs/github-behaviour.md) of the
 * local GitHub and of the simulation's model. With `--github` and a token in GITHUB_TOKEN also of that repository
 * on GitHub, or on the server at GITHUB_API_URL: it makes branches `contract-…`, pull requests and issues there
 * and takes them away again, so it should be one that nobody needs. Exit code 1 when something differs, 2 when
 * nothing could be asked.
 */
import { RequestError } from "@octokit/request-error";
import { parseArgs } from "node:util";
import { redact } from "../../src/github/redact.ts";
import { runOnGitHub, runOnSandbox, runPort, type Tally } from "../../test/github-contract/run-contract.ts";

const { values } = parseArgs({ options: { github: { type: "string" }, only: { type: "string" } } });
const [owner = "", repo = "", ...rest] = (values.github ?? "").split("/");
const token = process.env["GITHUB_TOKEN"] ?? "";
if (values.github !== undefined && (owner === "" || repo === "" || rest.length > 0)) {
  console.error(`${values.github} is no repository: write it as owner/repo`);
  process.exit(2);
}
if (values.only !== undefined && values.only !== "github") {
  console.error("--only takes github: leave the local GitHub and the model out");
  process.exit(2);
}

const say = (line: string): void => console.log(redact(line));
const tallies: Tally[] = values.only === undefined ? [await runOnSandbox(say), ...(await runPort(say))] : [];
const missing = [
  ...(values.github === undefined ? ["no repository was named (--github owner/repo)"] : []),
  ...(token === "" ? ["GITHUB_TOKEN is not set"] : []),
];
if (missing.length > 0) say(`GitHub itself: skipped, since ${missing.join(" and ")}`);
else
  try {
    tallies.push(await runOnGitHub({ owner, repo, token, baseUrl: process.env["GITHUB_API_URL"] }, say));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    console.error(redact(`${owner}/${repo} cannot be read: ${error.message}`));
    process.exitCode = 2;
  }

for (const { place, held, differing, skipped } of tallies) {
  const left = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  say(`${place}: ${held} as expected, ${differing.length} differ${left === 0 ? "" : `, ${left} skipped`}`);
}
if (tallies.some(({ differing }) => differing.length > 0)) process.exitCode ??= 1;
