import type { JobLog } from "./job-log.ts";
import { parseWorkflowCommand } from "./workflow-commands.ts";

/** What one step said by workflow commands instead of files. */
export interface StepOutput {
  /** Takes a line of the step's standard output or error. */
  readonly onLine: (line: string) => void;
  readonly outputs: Record<string, string>;
  readonly state: Record<string, string>;
  /** Commands that GitHub has switched off fail the step. */
  readonly errors: readonly string[];
}

/** https://github.blog/changelog/2020-10-01-github-actions-deprecating-set-env-and-add-path-commands/ */
const switchedOff = new Set(["set-env", "add-path"]);
const annotations = new Set(["debug", "notice", "warning", "error", "group", "endgroup"]);

/** Follows a step's output: commands are carried out, everything else goes to the log. */
export function followStepOutput(log: JobLog): StepOutput {
  const outputs: Record<string, string> = {};
  const state: Record<string, string> = {};
  const errors: string[] = [];
  let resumeToken: string | null = null;
  const onLine = (line: string): void => {
    const command = parseWorkflowCommand(line);
    if (command === null || (resumeToken !== null && command.name !== resumeToken)) {
      log.write(line);
      return;
    }
    const { name, message, properties } = command;
    if (resumeToken !== null) resumeToken = null;
    else if (name === "stop-commands") resumeToken = message.trim().toLowerCase();
    else if (name === "add-mask") log.mask(message);
    else if (name === "set-output") outputs[properties["name"] ?? ""] = message;
    else if (name === "save-state") state[properties["name"] ?? ""] = message;
    else if (switchedOff.has(name))
      errors.push(`The \`${name}\` command is disabled. Please upgrade to using Environment Files.`);
    else if (annotations.has(name)) log.write(message === "" ? `##[${name}]` : `##[${name}]${message}`);
    else log.write(line);
  };
  return { onLine, outputs, state, errors };
}
