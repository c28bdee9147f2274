import { buildScenario } from "./scenario.ts";
import { describeFailure, formatStory, shrink } from "./shrink.ts";
import { simulate } from "./simulate.ts";
import { createSqliteDatabase } from "./store/sqlite-story-database.ts";
import { createMemoryDatabase } from "./store/story-database.ts";

/**
 * A seed that failed is played again on the same kind of database, made short and told.
 *
 * @param found what was found the first time.
 */
export async function tellFailure(seed: number, database: "memory" | "sqlite", found: string): Promise<string> {
  const scenario = buildScenario(seed);
  const createDatabase = database === "sqlite" ? createSqliteDatabase : createMemoryDatabase;
  const again = `npm run sim -- --seeds 1 --seed ${seed}${database === "sqlite" ? " --sqlite 1" : ""}`;
  const outcome = await simulate(scenario, { createDatabase });
  if (describeFailure(outcome) !== null)
    return formatStory(scenario, await shrink(scenario, outcome, createDatabase), again);
  return `Seed ${seed} failed (${found}) and did not when it was played again: something that no seed draws plays a part.\nAgain: ${again}`;
}
