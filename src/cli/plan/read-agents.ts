import type { RegisteredAgent } from "../../plan/compile/compile-context.ts";
import { defaultMaxBytes } from "../../plan/json/read-json.ts";
import type { Terminal } from "../terminal.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { SideFileError } from "./read-draft.ts";
import { readInput } from "./read-input.ts";

const defaultAgents: readonly RegisteredAgent[] = [
  { name: "default", description: "", preset: "claude", skills: [], mcps: [], paths: [] },
];

/**
 * The registry of a configuration file; the one default agent without a file.
 * @throws SideFileError
 */
export async function readAgents(terminal: Terminal, file: string | null): Promise<readonly RegisteredAgent[]> {
  if (file === null) return defaultAgents;
  const input = await readInput(terminal, file, defaultMaxBytes);
  if (!input.ok) throw new SideFileError(`${file}: ${input.reason}`, 2);
  const text = new TextDecoder().decode(input.bytes);
  const { parseConfig, readExtends } = await import("../../contracts/parse-config.ts");
  const { listAgents } = await import("../../contracts/config.ts");
  const extended = readExtends(text);
  // Half a registry would be another registry.
  if (extended !== null)
    throw new SideFileError(`${file}: it extends \`${extended}\`, which is not read here: give what both come to`, 2);
  const parsed = parseConfig(text);
  if (parsed.config === null) {
    throw new SideFileError(
      parsed.problems
        .map((problem) => formatDiagnostic(terminal, { file, text, problem, severity: "error" }))
        .join("\n\n"),
      1,
    );
  }
  return listAgents(parsed.config);
}
