import { UserError } from "../../contracts/errors.ts";
import { readServeSettings } from "../../fleet/serve-settings.ts";
import type { CommandModule } from "../command-registry.ts";
import { formatTerminalLine, formatTerminalText } from "../terminal-text.ts";
import { isOperatorFailure } from "./operator-failure.ts";
import { type Attempt, rebuildRuns } from "./rebuild-runs.ts";

/**
 * `taskfleet rebuild owner/repo [run key]`: a lost store is read back from GitHub, as far as GitHub shows it. Exit
 * code 1 when a run could not be read back, 2 when nothing could be asked.
 */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("rebuild")
    .description("read runs back from GitHub after the database was lost (the App must not be running)")
    .argument("<repository>", "owner/name")
    .argument("[run]", "the run key, as in the name of its integration branch; all that are under way without it")
    .option("--json", "print one JSON object for each run")
    .action(async (repository: string, run: string | undefined, options: { readonly json?: boolean }) => {
      const [owner = "", name = "", ...more] = repository.split("/");
      try {
        if (owner === "" || name === "" || more.length > 0)
          throw new UserError(`${repository} is no repository: write it as owner/name.`);
        let count = 0;
        for await (const attempt of rebuildRuns(readServeSettings(process.env), owner, name, run ?? null)) {
          count += 1;
          if (attempt.outcome === "failed") {
            terminal.writeError(`${formatTerminalLine(`${attempt.run}: ${attempt.why}`)}\n`);
            setExitCode(1);
          } else
            terminal.write(options.json === true ? `${JSON.stringify(attempt.rebuilt)}\n` : formatRebuilt(attempt));
        }
        if (count === 0 && options.json !== true) terminal.write("Every run is in the store already.\n");
      } catch (error) {
        if (!isOperatorFailure(error)) throw error;
        // What is wrong with the settings is a list of ours.
        const format = error instanceof UserError ? formatTerminalText : formatTerminalLine;
        terminal.writeError(`${format(error.message)}\n`);
        setExitCode(2);
      }
    });
};

function formatRebuilt({ rebuilt }: Extract<Attempt, { outcome: "rebuilt" }>): string {
  const landed = rebuilt.landed.join(", ") || "nothing";
  const what = `${rebuilt.run}: ${rebuilt.revisions} plan revisions, landed: ${landed}.`;
  return `${formatTerminalLine(what)}\nIt is paused: start the App, and answer its question on the issue.\n`;
}
