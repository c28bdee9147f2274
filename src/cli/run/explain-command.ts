import { UserError } from "../../contracts/errors.ts";
import { foldAll } from "../../engine/fold.ts";
import { readFact } from "../../fleet/run-session.ts";
import type { CommandModule } from "../command-registry.ts";
import { explainRun, formatExplanation } from "./explain-run.ts";
import type { Store } from "../../store/port.ts";
import { findRun, openRunStore } from "./find-run.ts";
import { isOperatorFailure } from "./operator-failure.ts";

const STALE_READ_MS = 120_000;

/** `taskfleet explain <run>`: why it stands where it stands. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode) => {
  program
    .command("explain")
    .alias("show")
    .description("say why each chunk of a run is not running, what it waits for, until when, and what would end it")
    .argument("<run>", "the run key, or owner/repository/run key")
    .option("--json", "print one JSON object")
    .action(async (name: string, options: { readonly json?: boolean }) => {
      let store: Store | null = null;
      try {
        store = await openRunStore(process.env);
        const run = await findRun(store, name);
        const state = foldAll((await store.loadFacts(run)).map(readFact));
        if (state === null) throw new UserError(`Run ${name} has no facts.`);
        const explanation = explainRun(state, Date.now(), { staleReadMs: STALE_READ_MS });
        console.log(
          options.json === true
            ? JSON.stringify(explanation)
            : formatExplanation(explanation, (at) => new Date(at).toISOString()),
        );
      } catch (error) {
        if (!isOperatorFailure(error)) throw error;
        console.error(error.message);
        setExitCode(2);
      } finally {
        await store?.close();
      }
    });
};
