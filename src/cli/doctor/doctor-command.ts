import type { CommandModule } from "../command-registry.ts";
import { UserError } from "../../contracts/errors.ts";
import { redact } from "../../github/redact.ts";
import type { Terminal } from "../terminal.ts";
import { diagnose } from "./diagnose.ts";
import { formatFindings } from "./finding.ts";

/** `taskfleet doctor`: one line per finding; exit code 1 when something must be mended. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("doctor")
    .description("say what is wrong with the App's installation, and how to mend it")
    .argument("[repository]", "owner/name of a repository to look at as well")
    .option("--json", "one line of JSON instead of text")
    .addHelpText(
      "after",
      "\nReads the App's settings from the environment, like `taskfleet serve`. With GITHUB_TOKEN, a\ntoken of somebody who administers the repository, secrets and the Actions policy are looked at too.",
    )
    .action(async (repository: string | undefined, options: { readonly json?: boolean }) => {
      try {
        setExitCode(await run(repository, options.json === true ? "json" : "text", terminal));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        terminal.writeError(`${error.message}\n`);
        setExitCode(2);
      }
    });
};

async function run(repository: string | undefined, format: "json" | "text", terminal: Terminal): Promise<number> {
  const parts = repository?.split("/");
  const [owner, name] = parts ?? [];
  if (parts !== undefined && (parts.length !== 2 || owner === "" || name === "" || name === undefined))
    throw new UserError(`${repository ?? ""} is no repository: write it as owner/name.`);
  const findings = await diagnose(process.env, owner === undefined || name === undefined ? null : { owner, name });
  const text = format === "json" ? `${JSON.stringify({ findings })}\n` : formatFindings(findings);
  terminal.write(redact(text));
  return findings.some(({ level }) => level === "problem") ? 1 : 0;
}
