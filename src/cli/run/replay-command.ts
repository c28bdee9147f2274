import { readFile } from "node:fs/promises";
import { UserError } from "../../contracts/errors.ts";
import type { CommandModule } from "../command-registry.ts";
import { replayRun } from "./replay-run.ts";
import { parseRunFile } from "./run-file.ts";

const STALE_READ_MS = 120_000;

/** `taskfleet replay <file>`: exit code 1 when an effect was begun that this code would not begin. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode) => {
  program
    .command("replay")
    .description("fold an exported run again and print every decision")
    .argument("<file>", "what `export` printed")
    .option("--json", "one JSON object for each fact")
    .action(async (file: string, options: { readonly json?: boolean }) => {
      try {
        const { facts } = parseRunFile(await readFile(file, "utf8"));
        const { steps, differences, unfinished } = replayRun(facts, { staleReadMs: STALE_READ_MS });
        for (const step of steps) {
          if (options.json === true) console.log(JSON.stringify(step));
          else {
            console.log(`${step.seq} ${new Date(step.at).toISOString()} ${step.fact}`);
            for (const action of step.actions) console.log(`    ${action.kind}: ${action.reason} [${action.key}]`);
          }
        }
        for (const effect of unfinished) console.error(`${effect} was begun, and nothing says how it ended`);
        for (const difference of differences) console.error(difference);
        if (differences.length > 0) setExitCode(1);
      } catch (error) {
        const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!(error instanceof UserError) && !missing) throw error;
        console.error(error.message);
        setExitCode(2);
      }
    });
};
