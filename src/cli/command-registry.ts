import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/**
 * What a command's module exports. The action sets the exit code through `setExitCode`: 0 done, 1
 * the thing asked about is not as it should be, 2 the question could not be asked. The highest wins.
 */
export interface CommandModule {
  readonly addCommand: (program: Command, setExitCode: SetExitCode, terminal: Terminal) => void;
}

export type SetExitCode = (code: number) => void;

export interface CommandEntry {
  readonly name: string;
  /** Another name it answers to. */
  readonly alias?: string;
  /** One line for the overview. */
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** Every command, in the order of the overview. */
export const commandRegistry: readonly CommandEntry[] = [
  {
    name: "setup",
    summary: "register the App on GitHub",
    load: () => import("./setup/setup-command.ts"),
  },
  {
    name: "init",
    summary: "prepare a repository for Taskfleet",
    load: () => import("./init/init-command.ts"),
  },
  {
    name: "doctor",
    summary: "say what is wrong with an installation, and how to mend it",
    load: () => import("./doctor/doctor-command.ts"),
  },
  {
    name: "serve",
    summary: "run the App",
    load: () => import("./serve/serve-command.ts"),
  },
  {
    name: "runs",
    summary: "list runs and where they stand",
    load: () => import("./run/runs-command.ts"),
  },
  {
    name: "plan",
    summary: "validate, lint, draw, compare and compile plans",
    load: () => import("./plan/plan-command.ts"),
  },
  {
    name: "floor",
    summary: "judge a local commit by the gates the App judges with",
    load: () => import("./floor/floor-command.ts"),
  },
  {
    name: "sandbox",
    summary: "work on an issue in a clone of your own repository, locally",
    load: () => import("./sandbox/sandbox-command.ts"),
  },
  {
    name: "demo",
    summary: "play a whole run against a local GitHub",
    load: () => import("./demo/demo-command.ts"),
  },
  {
    name: "explain",
    alias: "show",
    summary: "say why a run stands where it stands",
    load: () => import("./run/explain-command.ts"),
  },
  {
    name: "export",
    summary: "print a run's facts as JSON lines",
    load: () => import("./run/export-command.ts"),
  },
  {
    name: "replay",
    summary: "fold an exported run again and print every decision",
    load: () => import("./run/replay-command.ts"),
  },
  {
    name: "rebuild",
    summary: "read a run back from GitHub after the database was lost",
    load: () => import("./run/rebuild-command.ts"),
  },
];
