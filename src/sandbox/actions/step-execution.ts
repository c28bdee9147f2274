import { randomUUID } from "node:crypto";
import { type CommandFileContents, createCommandFiles, readCommandFiles } from "./command-files.ts";
import { type Frame, type JobSession, applyCommandFiles, buildProcessEnv } from "./job-session.ts";
import { runProcess } from "./run-process.ts";
import { followStepOutput } from "./step-output.ts";
import type { Step } from "./workflow.ts";

/** A step about to run: its evaluated environment and the signal that ends it. */
export interface StepExecution {
  readonly session: JobSession;
  readonly frame: Frame;
  /** The step's name as shown in the log. */
  readonly name: string;
  /** `GITHUB_ACTION`: the step's id or a generated one. */
  readonly key: string;
  /** The step's own `env`. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted by cancellation (unless the step's condition holds then, too) and by the step's timeout. */
  readonly stop: AbortSignal;
}

/** Runs the steps of a frame; `outer` ends the one that is running. */
export type RunSteps = (
  session: JobSession,
  frame: Frame,
  steps: readonly Step[],
  outer: AbortSignal | null,
) => Promise<void>;

/** A step's failure whose message belongs in the log. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
}

/** The step was stopped by its signal. */
export class StepStopped extends Error {
  override readonly name = "StepStopped";
}

export interface StepProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the step's environment (`INPUT_*`, `STATE_*`, …). */
  readonly env: Readonly<Record<string, string>>;
}

export interface StepProcessResult {
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
}

/**
 * Runs a step's program with command files, carries out its workflow commands and takes over what it
 * wrote, also when it failed.
 * @throws StepFailure when it cannot start, exits with another code than 0 or writes what is refused
 * @throws StepStopped when the signal ended it
 */
export async function runStepProcess(execution: StepExecution, program: StepProcess): Promise<StepProcessResult> {
  const { session, frame, stop } = execution;
  const { log, options, state } = session;
  const files = createCommandFiles(session.folders.commandFiles, randomUUID());
  const output = followStepOutput(log);
  const own = { ...program.env, ...files, GITHUB_ACTION: execution.key };
  const end = await runProcess({
    command: program.command,
    args: program.args,
    cwd: program.cwd,
    env: buildProcessEnv(session, frame, execution.env, own),
    stop,
    kill: session.force,
    times: options.times,
    onLine: output.onLine,
  });
  const contents = readContents(files);
  if (end.kind === "exited" && end.leftBehind !== null) state.leftBehind.push(end.leftBehind);
  if (!(contents instanceof Error)) applyCommandFiles(session, contents);
  if (end.kind === "stopped") throw new StepStopped("The operation was canceled.");
  if (end.kind === "not-started") throw new StepFailure(`${program.command} could not be started: ${end.message}`);
  if (contents instanceof Error) throw new StepFailure(contents.message);
  if (output.errors.length > 0) throw new StepFailure(output.errors.join("\n"));
  const result: StepProcessResult = {
    outputs: { ...output.outputs, ...contents.outputs },
    state: { ...output.state, ...contents.state },
  };
  if (end.code !== 0) throw new ProcessFailure(end.code, result);
  return result;
}

/** A program that exited with another code than 0; its outputs still count. */
export class ProcessFailure extends StepFailure {
  readonly result: StepProcessResult;

  constructor(code: number, result: StepProcessResult) {
    super(`Process completed with exit code ${code}.`);
    this.result = result;
  }
}

function readContents(files: Parameters<typeof readCommandFiles>[0]): CommandFileContents | Error {
  try {
    return readCommandFiles(files);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
