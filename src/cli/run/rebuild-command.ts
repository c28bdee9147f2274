import { UserError } from "../../contracts/errors.ts";
import { readServeSettings } from "../../fleet/serve-settings.ts";
import type { CommandModule } from "../command-registry.ts";
import { isOperatorFailure } from "./operator-failure.ts";
import { rebuildRuns } from "./rebuild-runs.ts";

/** `taskfleet rebuild owner/repo <run key>`: a lost store is read back from GitHub, as far as GitHub shows it. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode) => {
  program
    .command("rebuild")
    .description("read a run back from GitHub after the database was lost (the App must not be running)")
    .argument("<repository>", "owner/name")
    .argument("<run>", "the run key, as in the name of its integration branch")
    .option("--json", "print one JSON object")
    .action(async (repository: string, run: string, options: { readonly json?: boolean }) => {
      const [owner = "", name = "", ...more] = repository.split("/");
      try {
        if (owner === "" || name === "" || more.length > 0)
          throw new UserError(`${repository} is no repository: write it as owner/name.`);
        const rebuilt = await rebuildRuns(readServeSettings(process.env), owner, name, run);
        if (options.json === true) console.log(JSON.stringify(rebuilt));
        else
          console.log(
            `${rebuilt.run}: ${rebuilt.revisions} plan revisions, landed: ${rebuilt.landed.join(", ") || "nothing"}.\nIt is paused: start the App, and answer its question on the issue.`,
          );
      } catch (error) {
        if (!isOperatorFailure(error)) throw error;
        console.error(error.message);
        setExitCode(1);
      }
    });
};
