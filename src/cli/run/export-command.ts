import type { CommandModule } from "../command-registry.ts";
import type { Store } from "../../store/port.ts";
import { findRun, openRunStore } from "./find-run.ts";
import { isOperatorFailure } from "./operator-failure.ts";
import { formatRunFile } from "./run-file.ts";

/** `taskfleet export <run>`: everything a run remembers, as JSON lines. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode) => {
  program
    .command("export")
    .description("print a run's facts as JSON lines (with the issue's and the plan's text, without any secret)")
    .argument("<run>", "the run key, or owner/repository/run key")
    .action(async (name: string) => {
      let store: Store | null = null;
      try {
        store = await openRunStore(process.env);
        const run = await findRun(store, name);
        process.stdout.write(formatRunFile(run, await store.loadFacts(run)));
      } catch (error) {
        if (!isOperatorFailure(error)) throw error;
        console.error(error.message);
        setExitCode(2);
      } finally {
        await store?.close();
      }
    });
};
