import { randomUUID } from "node:crypto";
import { chmod, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Scope, evaluateText } from "./expressions.ts";
import { type StepExecution, StepFailure, type StepProcessResult, runStepProcess } from "./step-execution.ts";
import type { Step } from "./workflow.ts";

/**
 * How a script is run; `{0}` stands for its file.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
 */
const shells: Readonly<Record<string, string>> = {
  bash: "bash --noprofile --norc -e -o pipefail {0}",
  sh: "sh -e {0}",
  python: "python {0}",
};
const defaultShell = "bash -e {0}";
const extensions: Readonly<Record<string, string>> = { bash: ".sh", sh: ".sh", python: ".py" };

/** Runs a `run:` step. */
export async function runScript(
  execution: StepExecution,
  step: Extract<Step, { kind: "run" }>,
  scope: Scope,
): Promise<StepProcessResult> {
  const { session, frame } = execution;
  const script = evaluateText(step.run, scope);
  const shellTemplate = step.shell ?? frame.defaults.shell;
  const shell = shellTemplate === null ? null : evaluateText(shellTemplate, scope);
  const folderTemplate = step.workingDirectory ?? frame.defaults.workingDirectory;
  const folder = folderTemplate === null ? "" : evaluateText(folderTemplate, scope);
  const line = shell === null ? defaultShell : (shells[shell] ?? shell);
  if (!line.includes("{0}")) throw new StepFailure(`Invalid shell option '${line}': it has no '{0}' for the script.`);
  const cwd = path.resolve(session.folders.workspace, folder);
  const cwdStats = await stat(cwd).catch(() => null);
  if (cwdStats === null || !cwdStats.isDirectory()) throw new StepFailure(`No such working directory: '${cwd}'`);
  const file = path.join(session.folders.temp, `${randomUUID()}${extensions[shell ?? "bash"] ?? ""}`);
  await writeFile(file, `${script}\n`);
  await chmod(file, 0o755);
  const [headline = ""] = script.split("\n", 1);
  session.log.write(`##[group]Run ${headline}`);
  session.log.write(script);
  session.log.write(`shell: ${line}`);
  session.log.write("##[endgroup]");
  const [command = "bash", ...args] = line.split(" ").map((part) => part.replaceAll("{0}", file));
  return await runStepProcess(execution, { command, args, cwd, env: {} });
}
