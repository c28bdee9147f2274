/**
 * A process may stand still at any moment (a machine that sleeps, a disk that hangs) and go on minutes later, when
 * another one has long taken its work over. Whatever it then wants to change is refused: on GitHub by a look at the
 * lease just before each request, in the run's history by its position (`RunSession.append`).
 */
import type { GitHubPort, RepositoryPort } from "../../github/port.ts";
import type { Store } from "../../store/port.ts";
import type { Fleet } from "../context.ts";
import { TakenOver } from "../taken-over.ts";

/** Reads; everything else has an effect. */
const READS = /^load/u;

/** @param held whether the work is still this process's own. */
export function guardFleet(fleet: Fleet, held: () => boolean): Fleet {
  const { store, github, reviewer } = fleet;
  return {
    ...fleet,
    github: guardGitHub(github, held),
    ...(reviewer === undefined ? {} : { reviewer: guardGitHub(reviewer, held) }),
    store: { ...store, createRun: guard((...run: Parameters<Store["createRun"]>) => store.createRun(...run), held) },
  };
}

function guardGitHub(github: GitHubPort, held: () => boolean): GitHubPort {
  return {
    ...github,
    get requests() {
      return github.requests;
    },
    repository(ref): RepositoryPort {
      const port = github.repository(ref);
      return { ...guardWrites(port, held), tracker: guardWrites(port.tracker, held) };
    },
  };
}

function guardWrites<Port extends object>(port: Port, held: () => boolean): Port {
  const guarded = { ...port } as Record<string, unknown>;
  for (const [name, value] of Object.entries(port))
    if (typeof value === "function" && !READS.test(name))
      guarded[name] = guard(value as (...args: never[]) => Promise<unknown>, held);
  return guarded as Port;
}

function guard<Args extends readonly unknown[], Value>(
  call: (...args: Args) => Promise<Value>,
  held: () => boolean,
): (...args: Args) => Promise<Value> {
  return async (...args) => {
    if (!held()) throw new TakenOver();
    return call(...args);
  };
}
