import { existsSync } from "node:fs";
import path from "node:path";
import { UserError } from "../../contracts/errors.ts";
import type { RunRecord, Store } from "../../store/port.ts";
import { openStore } from "../../store/open-store.ts";

/**
 * Opens the App's store beside the running App: reading disturbs nobody.
 *
 * @throws UserError when there is no such file: looking makes none, least of all in the wrong place.
 */
export async function openRunStore(env: Readonly<Record<string, string | undefined>>): Promise<Store> {
  const url = env["DATABASE_URL"];
  if (url !== undefined && url !== "") return openStore({ url });
  const file = path.join(env["TASKFLEET_DATA_DIR"] ?? "data", "taskfleet.sqlite");
  if (!existsSync(file))
    throw new UserError(
      `There is no database ${path.resolve(file)}: set TASKFLEET_DATA_DIR or DATABASE_URL as the App has them.`,
    );
  return openStore({ file });
}

/** @param name a run key, or `owner/repository/run key` where several repositories have it. @throws UserError */
export async function findRun(store: Store, name: string): Promise<RunRecord> {
  const runs = await store.loadRuns();
  const found = runs.filter((run) => run.runKey === name || `${run.owner}/${run.name}/${run.runKey}` === name);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const list = (found.length > 0 ? found : runs).map((run) => `${run.owner}/${run.name}/${run.runKey}`);
  throw new UserError(
    found.length > 0
      ? `Several runs are named ${name}: ${list.join(", ")}.`
      : `No run is named ${name}. There are: ${list.slice(-20).join(", ") || "none"}.`,
  );
}
