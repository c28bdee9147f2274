import type { RepositoryRef } from "../github/port.ts";
import type { RunRecord } from "../store/port.ts";
import type { Fleet } from "./context.ts";

/**
 * A repository keeps its id and nothing else: it may be renamed, transferred to an owner with another installation,
 * or its owner may uninstall the App and install it again, which is a new installation. A run that went on asking in
 * the name of the former one would be refused for ever.
 *
 * @param found the run's repository, as a signed webhook or GitHub's own list has it by now.
 * @returns whether it is another one than the run asked.
 */
export async function followMove(
  fleet: Pick<Fleet, "store" | "log">,
  run: RunRecord,
  found: RepositoryRef,
): Promise<boolean> {
  const { owner, name, installationId } = found;
  if (run.owner === owner && run.name === name && run.installationId === installationId) return false;
  await fleet.store.updateRun(run, { owner, name, installationId });
  const former = { repository: `${run.owner}/${run.name}`, installation: run.installationId };
  fleet.log.info(
    { run: run.runKey, repository: `${owner}/${name}`, installation: installationId, former },
    "a run's repository is to be reached in another way",
  );
  return true;
}
