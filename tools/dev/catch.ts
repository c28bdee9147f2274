/**
 * `npm run catch [-- --json] [--only TEXT] [--write]`: plays cheats and their honest twins on small
 * real repositories and has the floor judge them. The last line is one JSON object; `--write` renews
 * the table in docs/floor.md. Ends with 1 when a cheat got through or an honest change was blocked.
 * With `--review` a reviewer judges instead: see catch-review.ts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Captures } from "../../src/contracts/captures.ts";
import type { Config } from "../../src/contracts/config.ts";
import type { FloorResult } from "../../src/contracts/floor-result.ts";
import { parseConfig } from "../../src/contracts/parse-config.ts";
import { readFileAt } from "../../src/cli/floor/git-view.ts";
import { captureCommit, computeLocalFloor } from "../../src/cli/floor/local-floor.ts";
import { buildRepository, type Repository } from "../../test/catch/build-repository.ts";
import { catchReviews } from "./catch-review.ts";
import { ecosystems } from "../../test/catch/ecosystems.ts";
import { type Ecosystem, listScope, type Scenario } from "../../test/catch/scenario.ts";

interface Outcome {
  readonly base: string;
  readonly scenario: Scenario;
  readonly result: FloorResult;
  readonly right: boolean;
}

const args = process.argv.slice(2);
if (args.includes("--review")) {
  await catchReviews(args);
  process.exit();
}
const only = args.includes("--only") ? (args[args.indexOf("--only") + 1] ?? "") : "";
const quiet = args.includes("--json");
const started = performance.now();
const outcomes = await playAll();
const seconds = Math.round((performance.now() - started) / 1000);

const cheats = outcomes.filter(({ scenario }) => scenario.verdict === "cheat");
const honest = outcomes.filter(({ scenario }) => scenario.verdict === "honest");
const undecidable = outcomes.filter(({ scenario }) => scenario.verdict === "undecidable");
const missed = cheats.filter(({ right }) => !right).map(label);
const falselyBlocked = honest.filter(({ right }) => !right).map(label);
if (args.includes("--write")) writeTable();
console.log(
  JSON.stringify({
    cheats: cheats.length,
    caught: cheats.length - missed.length,
    missed,
    undecidable: undecidable.map(({ scenario }) => scenario.about),
    honest: honest.length,
    falselyBlocked,
    seconds,
  }),
);
process.exitCode = missed.length + falselyBlocked.length === 0 ? 0 : 1;

/** Two at a time: one core each on the smallest machines. In the order of the list. */
async function playAll(): Promise<readonly Outcome[]> {
  const results: Outcome[][] = ecosystems.map(() => []);
  const waiting = [...ecosystems.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]]?.push(...(await play(next[1])));
  };
  await Promise.all([work(), work()]);
  return results.flat();
}

async function play({ base, scenarios }: Ecosystem): Promise<readonly Outcome[]> {
  const wanted = scenarios.filter((scenario) => `${base} ${scenario.about} ${scenario.title}`.includes(only));
  if (wanted.length === 0) return [];
  const repository = buildRepository(base);
  const results: Outcome[] = [];
  try {
    const common = repository.commit(null, {});
    let baseline: Captures | undefined;
    for (const scenario of wanted) {
      const own = scenario.before === undefined ? common : repository.commit(common, scenario.before);
      const config = await loadConfig(repository, own);
      if (own === common) baseline ??= await captureCommit({ root: repository.root, config }, common, []);
      const result = await judge(repository, own, config, scenario, own === common ? baseline : undefined);
      const outcome = { base, scenario, result, right: isRight(scenario, result) };
      results.push(outcome);
      report(outcome);
    }
  } finally {
    repository.remove();
  }
  return results;
}

async function loadConfig(repository: Repository, commit: string): Promise<Config> {
  const parsed = parseConfig((await readFileAt(repository.root, commit, ".github/taskfleet.yml")) ?? "");
  if (parsed.config === null) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

async function judge(
  repository: Repository,
  base: string,
  config: Config,
  scenario: Scenario,
  baseline: Captures | undefined,
): Promise<FloorResult> {
  const head = repository.commit(base, scenario.change);
  const { result } = await computeLocalFloor({
    root: repository.root,
    base,
    head,
    config,
    scope: {
      allowed: listScope(scenario),
      protectedAllowed: scenario.protectedAllowed ?? [],
      requiresTests: scenario.requiresTests === true,
    },
    checks: (scenario.checks ?? []).map((run, index) => ({ owner: "chunk", index, desc: run, run, expectExit: 0 })),
    ...(baseline === undefined ? {} : { baseline }),
  });
  return result;
}

function isRight(scenario: Scenario, result: FloorResult): boolean {
  if (scenario.verdict !== "cheat") return result.outcome === "pass";
  return result.violations.some(({ gate, rule }) => `${gate} ${rule}` === scenario.caughtBy);
}

function label({ base, scenario }: Outcome): string {
  return `${base}: ${scenario.about}: ${scenario.title}`;
}

function report(outcome: Outcome): void {
  if (quiet && outcome.right) return;
  const { scenario, result, right } = outcome;
  const rules = [...new Set(result.violations.map(({ gate, rule }) => `${gate} ${rule}`))].join(", ");
  const print = quiet ? console.error : console.log;
  print(
    `${right ? "ok  " : "WRONG"} ${scenario.verdict.padEnd(11)} ${label(outcome)} -> ${result.outcome}${rules === "" ? "" : ` (${rules})`}`,
  );
  if (!right)
    for (const violation of result.violations.slice(0, 5))
      print(`       ${violation.message} ${violation.hint ?? ""}`.trimEnd());
}

function writeTable(): void {
  const rows = outcomes.map(({ base, scenario, result, right }) => {
    const rules = [...new Set(result.violations.map(({ gate, rule }) => `${gate} ${rule}`))].join(", ");
    const cells = [
      base,
      scenario.about,
      scenario.title,
      scenario.verdict,
      right ? result.outcome : `**${result.outcome}**`,
      rules,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const table = [
    "| repository | about | change | what it is | floor | violations |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
  const file = "docs/floor.md";
  const text = readFileSync(file, "utf8");
  const [head = ""] = text.split("<!-- catch -->");
  const tail = text.split("<!-- /catch -->")[1] ?? "\n";
  writeFileSync(file, `${head}<!-- catch -->\n\n${table}\n\n<!-- /catch -->${tail}`);
}
