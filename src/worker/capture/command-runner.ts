import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { CommandCapture } from "../../contracts/captures.ts";
import type { ReportSource } from "../../floor/readers/report-source.ts";
import type { GitPlace } from "../git/run-git.ts";
import { readState, restoreCheckout } from "./checkout.ts";
import { buildCommandEnvironment } from "./command-environment.ts";
import type { Isolation } from "./isolate.ts";
import { MAX_REPORT_BYTES, readReports, removeReports, type ReportText } from "./report-files.ts";
import { type CommandRun, runCommand, type ShellCommand } from "./run-command.ts";

export interface RunnerPlace {
  readonly root: string;
  readonly commit: string;
  readonly isolation: Isolation;
  /** git over the checkout, out of reach of the commands. */
  readonly git: GitPlace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal | undefined;
}

export interface ReportedRun {
  readonly capture: CommandCapture;
  readonly texts: readonly ReportText[];
}

/** Runs a job's commands one after the other, each on the checkout as setup left it. */
export class CommandRunner {
  readonly source: ReportSource;
  readonly #place: RunnerPlace;
  readonly #env: Readonly<Record<string, string>>;
  #kept: ReadonlyMap<string, string> | null = null;
  /** Set when a command left the checkout beyond repair: nothing that runs on it would be evidence. */
  #broken: string | null = null;

  constructor(place: RunnerPlace) {
    this.#place = place;
    this.#env = buildCommandEnvironment(place.env, place.isolation.home);
    this.source = { roots: [...new Set([place.root, realpathSync(place.root)])] };
  }

  /** From now on the checkout is brought back to its present state after every command. */
  async keepState(): Promise<void> {
    this.#kept = await readState(this.#place.git);
  }

  /** @param folder repository-relative; absent = the root. */
  async run(command: string, minutes: number, folder?: string): Promise<CommandRun> {
    return this.#run(command, minutes, folder, 0);
  }

  /** Runs a command and reads the report it wrote; whatever stood in its place before is removed. */
  async runForReport(reported: {
    readonly command: string;
    readonly timeout_minutes: number;
    readonly report: string;
  }): Promise<ReportedRun> {
    const { root } = this.#place;
    const { command, timeout_minutes: minutes, report } = reported;
    if (report === "-") {
      const run = await this.#run(command, minutes, undefined, MAX_REPORT_BYTES);
      await this.#restore();
      return {
        capture: run.capture,
        texts: [run.stdout === null ? { problem: "the report on standard output is too large" } : { text: run.stdout }],
      };
    }
    await removeReports(root, report);
    const run = await this.#start(this.#build(command, minutes, undefined, 0));
    const texts = await readReports(root, report);
    await removeReports(root, report);
    await this.#restore();
    return { capture: run.capture, texts };
  }

  async #run(command: string, minutes: number, folder: string | undefined, keep: number): Promise<CommandRun> {
    const request = this.#build(command, minutes, folder, keep);
    const run = isFolder(request.cwd)
      ? await this.#start(request)
      : buildUnstarted(command, `the folder ${folder ?? "."} does not exist`);
    await this.#restore();
    return run;
  }

  /** @throws Error when something it left running cannot be ended. */
  async #start(request: ShellCommand): Promise<CommandRun> {
    if (this.#broken !== null) return buildUnstarted(request.command, this.#broken);
    const run = await runCommand(request);
    await this.#place.isolation.endLeftovers();
    return run;
  }

  #build(command: string, minutes: number, folder: string | undefined, keep: number): ShellCommand {
    const { root, isolation, signal } = this.#place;
    return {
      command,
      cwd: folder === undefined ? root : path.join(root, folder),
      env: this.#env,
      timeoutMs: minutes * 60_000,
      uid: isolation.uid,
      prefix: isolation.prefix,
      keepStdoutBytes: keep,
      signal,
    };
  }

  async #restore(): Promise<void> {
    const { git, commit, isolation } = this.#place;
    if (this.#kept === null) return;
    try {
      await restoreCheckout(git, commit, this.#kept, isolation.uid);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#broken = `the checkout could not be brought back after a command: ${error.message}`.slice(0, 500);
    }
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

function buildUnstarted(command: string, spawnError: string): CommandRun {
  return {
    capture: {
      command,
      exit: null,
      signal: null,
      timedOut: false,
      spawnError,
      durationMs: 0,
      output: "",
      outputBytes: 0,
    },
    stdout: "",
  };
}
