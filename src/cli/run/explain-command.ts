import { UserError } from "../../contracts/errors.ts";
import { foldAll } from "../../engine/fold.ts";
import { loadTiming } from "../../fleet/kept-timing.ts";
import type { CommandModule } from "../command-registry.ts";
import { askStore } from "./ask-store.ts";
import { explainRun, formatExplanation } from "./explain-run.ts";
import { findRun } from "./find-run.ts";
import { loadRunFacts } from "./load-run-facts.ts";

/** `taskfleet explain <run>`: why it stands where it stands. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("explain")
    .alias("show")
    .description("say why each chunk of a run is not running, what it waits for, until when, and what would end it")
    .argument("<run>", "the run key, or owner/repository/run key")
    .option("--json", "print one JSON object")
    .action((name: string, options: { readonly json?: boolean }) =>
      askStore(terminal, setExitCode, async (store) => {
        const run = await findRun(store, name);
        const state = foldAll(await loadRunFacts(store, run));
        if (state === null) throw new UserError(`Run ${name} has no facts.`);
        const explanation = explainRun(state, Date.now(), await loadTiming(store));
        const text =
          options.json === true
            ? JSON.stringify(explanation)
            : formatExplanation(explanation, (at) => new Date(at).toISOString());
        terminal.write(`${text}\n`);
      }),
    );
};
