/** The operator's work after the database was lost: `taskfleet rebuild` for every run whose branch is there. */
import { UserError } from "../../../src/contracts/errors.ts";
import { parseBranch } from "../../../src/contracts/names.ts";
import { ImmutableReads } from "../../../src/fleet/immutable-reads.ts";
import { rebuildRun } from "../../../src/fleet/rebuild-run.ts";
import type { Store } from "../../../src/store/port.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { REPOSITORY } from "../model/identities.ts";
import { createModelGitHub } from "../model/model-github.ts";
import { createModelPort } from "../model/model-port.ts";
import { Chance } from "../chance.ts";
import { CALM } from "../scenario.ts";
import type { Events } from "./events.ts";
import { Mortal } from "./mortal.ts";
import { type Watcher, watchStore } from "./watched-store.ts";

export interface ReadBackParts {
  readonly model: GitHubModel;
  readonly store: Store;
  readonly watcher: Watcher;
  readonly events: Events;
}

/** @returns the keys of the runs that were read back; what cannot be is left to people. */
export async function readBack({ model, store, watcher, events }: ReadBackParts): Promise<readonly string[]> {
  const github = createModelGitHub(model, createModelPort(model));
  const fate = {
    faults: CALM,
    mortalCounts: new Map<string, number>(),
    onDeath: () => undefined,
    onStall: () => undefined,
  };
  const watched = watchStore(store, new Mortal({ time: model.time, events, chance: new Chance(0), ...fate }), watcher);
  const restored: string[] = [];
  for (const [branch, { now }] of model.refs) {
    const parsed = now === null ? null : parseBranch(branch);
    if (parsed?.kind !== "integration") continue;
    try {
      const parts = { github, store: watched, clock: model.time, reads: new ImmutableReads() };
      restored.push((await rebuildRun(parts, REPOSITORY, parsed.run)).run);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
  return restored;
}
