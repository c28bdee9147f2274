import { readFile } from "node:fs/promises";
import { type Config, defaultConfig } from "../../contracts/config.ts";
import { ACCEPTANCE_OWNER, listAcceptanceChecks } from "../../contracts/criteria.ts";
import { UserError } from "../../contracts/errors.ts";
import { parseConfig, readExtends } from "../../contracts/parse-config.ts";
import type { Check, Plan } from "../../contracts/plan.ts";
import type { ExpectedCheck, FloorScope } from "../../floor/floor-input.ts";
import { parsePlan } from "../../plan/parse-plan.ts";
import { readFileAt } from "./git-view.ts";

export interface ScopeOptions {
  readonly plan?: string;
  readonly chunk?: string;
}

export interface LoadedScope {
  readonly scope: FloorScope | null;
  readonly checks: readonly ExpectedCheck[];
}

/** @param file instead of the commit's own configuration. @throws UserError with every problem. */
export async function loadConfig(root: string, commit: string, file: string | undefined): Promise<Config> {
  const name = ".github/taskfleet.yml";
  const text = file === undefined ? await readFileAt(root, commit, name) : await readText(file);
  if (text === null) return defaultConfig();
  const extended = readExtends(text);
  // Half a configuration would judge by other rules than a run does.
  if (extended !== null)
    throw new UserError(
      `${file ?? name} extends \`${extended}\`, which is not read here: give what both come to with --config, for example a run's .taskfleet/RUN/config.json.`,
    );
  const parsed = parseConfig(text);
  if (parsed.config !== null) return parsed.config;
  const problems = parsed.problems.map(({ pointer, message }) => `  ${pointer} ${message}`);
  throw new UserError([`${file ?? name} is not valid:`, ...problems].join("\n"));
}

/**
 * Scope and checks of a chunk, or of the whole plan with its acceptance checks. Protected files that
 * the plan declares count as approved: whoever runs this reads the plan.
 */
export async function loadScope({ plan: file, chunk: id }: ScopeOptions): Promise<LoadedScope> {
  if (file === undefined) {
    if (id !== undefined) throw new UserError("--chunk needs --plan");
    return { scope: null, checks: [] };
  }
  const { plan, problems } = parsePlan(await readText(file));
  if (plan === null)
    throw new UserError([`${file} is not a valid plan:`, ...problems.map(({ message }) => `  ${message}`)].join("\n"));
  return id === undefined ? scopeWhole(plan) : scopeChunk(plan, id);
}

function scopeChunk(plan: Plan, id: string): LoadedScope {
  const chunk = plan.chunks.find((one) => one.id === id);
  if (chunk === undefined)
    throw new UserError(`the plan has no chunk "${id}"; it has ${plan.chunks.map((one) => one.id).join(", ")}`);
  const { files_touched: allowed, checks, requires_tests: requiresTests = false } = chunk;
  return { scope: { allowed, protectedAllowed: allowed, requiresTests }, checks: expectChecks(id, checks) };
}

function scopeWhole(plan: Plan): LoadedScope {
  const allowed = [...new Set(plan.chunks.flatMap((chunk) => chunk.files_touched))];
  const checks = plan.chunks.flatMap((chunk) => expectChecks(chunk.id, chunk.checks));
  const acceptance = expectChecks(ACCEPTANCE_OWNER, listAcceptanceChecks(plan.acceptance));
  return { scope: { allowed, protectedAllowed: allowed, requiresTests: false }, checks: [...checks, ...acceptance] };
}

function expectChecks(owner: string, checks: readonly Check[]): readonly ExpectedCheck[] {
  return checks.map(({ desc, run, cwd, expect_exit: expectExit = 0 }, index) => ({
    owner,
    index,
    desc,
    run,
    ...(cwd === undefined ? {} : { cwd }),
    expectExit,
  }));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UserError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
}
