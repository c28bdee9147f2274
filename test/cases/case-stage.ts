/** What most cases begin with: a local GitHub with scripted jobs, the App on it, and a repository. */
import { afterEach } from "@jest/globals";
import type { Intervals } from "../../src/fleet/context.ts";
import type { SandboxOptions } from "../../src/sandbox/sandbox-options.ts";
import type { Repository } from "../../src/sandbox/state/repository.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

/** Opens stages whose jobs build one chunk, unless told otherwise; each is closed after the test that opened it. */
export function keepStages(): (options?: Partial<SandboxOptions>) => Promise<FleetStage> {
  const open: FleetStage[] = [];
  afterEach(async () => {
    for (const stage of open.splice(0)) await stage.close();
  });
  return async (options = {}) => {
    const runner = createScriptedRunner({ chunks: () => buildChunks(1) });
    const stage = await openFleetStage({ runner, ...options });
    open.push(stage);
    return stage;
  };
}

export interface CaseRepository {
  /** `owner/name`. */
  readonly fullName: string;
  readonly state: Repository;
}

/** Serves the App and makes the repository `parts`, with other texts of some files. */
export async function serveParts(
  stage: FleetStage,
  intervals: Intervals,
  files: Readonly<Record<string, string>> = {},
): Promise<CaseRepository> {
  await stage.serveHere(intervals);
  const fullName = await stage.createRepository("parts", files);
  const state = stage.sandbox.world.findRepository("octo", "parts");
  if (state === null) throw new Error("it was just created");
  return { fullName, state };
}
