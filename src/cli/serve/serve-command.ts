import type { CommandModule } from "../command-registry.ts";
import { UserError } from "../../contracts/errors.ts";
import { StoreFailure } from "../../store/store-failure.ts";
import { serve } from "../../fleet/serve.ts";
import { readServeSettings } from "../../fleet/serve-settings.ts";

/** `taskfleet serve`: the App, until it is told to stop. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode) => {
  program
    .command("serve")
    .description("run the App (settings come from the environment, see docs/operations.md)")
    .action(async () => {
      try {
        const serving = await serve(readServeSettings(process.env));
        console.log(JSON.stringify({ listening: serving.url }));
        const failure = await Promise.race([waitForSignal(), serving.broken]);
        if (failure !== null) {
          console.error(failure.message);
          setExitCode(2);
        }
        // What was cut short holds the event loop; its lease runs out and another process goes on with it.
        if ((await serving.stop()) === "cut short") process.exit(failure === null ? 0 : 2);
      } catch (error) {
        if (!(error instanceof UserError || error instanceof StoreFailure)) throw error;
        console.error(error.message);
        setExitCode(2);
      }
    });
};

function waitForSignal(): Promise<null> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve(null));
    process.once("SIGINT", () => resolve(null));
  });
}
