/** What Taskfleet must know of an agent's program to start it headless and to read it back. */
import type { AgentRequest, AgentRole } from "../../contracts/agent-request.ts";
import type { AgentConfig } from "../../contracts/config.ts";
import type { Remedy, Usage } from "../../contracts/job.ts";
import type { ModelKey } from "../../contracts/model-keys.ts";
import type { KeyHeader } from "../agents/key-proxy.ts";
import type { ProgramResult } from "../process/run-program.ts";

export interface PresetContext {
  readonly role: AgentRole;
  /** "" = the program's own default. */
  readonly model: string;
  readonly agent: AgentConfig;
  readonly request: AgentRequest;
  /** JSON Schema of the answer, as an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** An empty folder outside the tree: the program's HOME. */
  readonly home: string;
  /** Where the tree of the request's `tools` commit was put; null when no argument asks for it. */
  readonly tools: string | null;
  readonly keys: ReadonlyMap<ModelKey, string>;
  /** Those of {@link Preset.settings} that the step's environment has. */
  readonly settings: Readonly<Record<string, string>>;
  /** Names of the skills that lie in {@link Preset.skillsFolder}. */
  readonly skills: readonly string[];
  readonly mcps: readonly McpServer[];
}

/** An MCP server as it is started: over standard input and output. */
export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface PresetStart {
  /** Program and arguments; never a shell line. */
  readonly argv: readonly string[];
  /** Standard input. */
  readonly input: string;
  /** Variables on top of the scrubbed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Files to write first; paths relative to `home`. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string }>;
  /** A file (relative to `home`) the program writes beside its output: its answer or its usage; null = none. */
  readonly sideFile: string | null;
  readonly maxOutputBytes: number;
}

/**
 * - text: what should hold the answer, still to be parsed;
 * - external: something outside failed (key, network, usage limit): nobody's try;
 * - unusable: the agent's own failure.
 */
export type PresetAnswer =
  | { readonly kind: "text"; readonly text: string; readonly usage: Usage | null }
  | {
      readonly kind: "external" | "unusable";
      readonly cause: string;
      readonly usage: Usage | null;
      /** What ends an outside failure, where it is known. */
      readonly remedy?: Remedy;
    };

export interface Provider {
  /** The setting that names the address. */
  readonly setting: string;
  /** The address when the step's environment does not say. */
  readonly address: string;
  readonly header: KeyHeader;
}

export interface Preset {
  readonly name: AgentConfig["preset"];
  /** Any one of these is enough; empty = the program needs none. */
  readonly keys: readonly ModelKey[];
  /** Variables of the step that are no secret and reach the program: addresses of a provider. */
  readonly settings: readonly string[];
  /**
   * Providers whose address the program can be told by one of its settings: their keys stay in this process,
   * behind a loopback proxy. Other keys are handed to the program itself.
   */
  readonly providers: Readonly<Partial<Record<ModelKey, Provider>>>;
  /** Where the program looks for skills of its user, one folder each; relative to its HOME. */
  readonly skillsFolder: string;
  readonly start: (context: PresetContext) => PresetStart;
  /** @param sideFile the text of {@link PresetStart.sideFile}; null when it was not written. */
  readonly read: (result: ProgramResult, sideFile: string | null) => PresetAnswer;
}
