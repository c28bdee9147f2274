import type { PlanProposal } from "../../contracts/plan-draft.ts";
import { defaultMaxBytes } from "../../plan/json/read-json.ts";
import { parsePlanDraft } from "../../plan/parse-plan-draft.ts";
import type { Terminal } from "../terminal.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { readInput } from "./read-input.ts";

/** A side file that could not be used; the message is complete. */
export class SideFileError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Reads a planner's draft that proposes work.
 * @throws SideFileError
 */
export async function readDraft(terminal: Terminal, file: string): Promise<PlanProposal> {
  const input = await readInput(terminal, file, defaultMaxBytes);
  if (!input.ok) throw new SideFileError(`${file}: ${input.reason}`, 2);
  const { draft, problems } = parsePlanDraft(input.bytes);
  if (draft === null) {
    const text = new TextDecoder().decode(input.bytes);
    throw new SideFileError(
      problems.map((problem) => formatDiagnostic(terminal, { file, text, problem, severity: "error" })).join("\n\n"),
      1,
    );
  }
  if (draft.kind !== "plan")
    throw new SideFileError(
      `${file}: the draft holds ${draft.kind === "answer" ? "an answer" : "questions"}, no plan`,
      1,
    );
  return draft;
}
