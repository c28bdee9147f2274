import type { RefWrite } from "../git/ref-writer.ts";
import { writeRef } from "../git/refs.ts";
import type { Services } from "../services.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Repository } from "../state/repository.ts";
import { followRefChange } from "./follow-ref-change.ts";

/** A ref that moves, appears (`before` null) or goes (`after` null). */
export interface RefChange {
  /** Full name. */
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The one way refs change by REST: compare-and-swap under the repository's lock, then everything GitHub
 * does because of it. The result says why git refused, if it did.
 */
export function changeRef(
  services: Services,
  repository: Repository,
  actor: NamedActor,
  change: RefChange,
): Promise<RefWrite> {
  return services.locks.run(repository.id, async () => {
    const written = await writeRef(repository.git, change.name, change.before, change.after);
    if (written.ok) await followRefChange(services, repository, actor, change);
    return written;
  });
}
