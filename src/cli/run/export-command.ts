import { loadTiming } from "../../fleet/kept-timing.ts";
import type { CommandModule } from "../command-registry.ts";
import { askStore } from "./ask-store.ts";
import { findRun } from "./find-run.ts";
import { loadRunFacts } from "./load-run-facts.ts";

import { formatRunFile } from "./run-file.ts";

/** `taskfleet export <run>`: everything a run remembers, as JSON lines. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("export")
    .description("print a run's facts as JSON lines (with the issue's and the plan's text, without any secret)")
    .argument("<run>", "the run key, or owner/repository/run key")
    .action((name: string) =>
      askStore(terminal, setExitCode, async (store) => {
        const run = await findRun(store, name);
        const facts = await loadRunFacts(store, run);
        terminal.write(formatRunFile(run, facts, await loadTiming(store)));
      }),
    );
};
