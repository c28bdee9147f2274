import path from "node:path";
import { UserError } from "../../contracts/errors.ts";
import { openStoreForReading, type ReadingStore } from "../../store/open-for-reading.ts";
import type { RunRecord } from "../../store/port.ts";
import { StoreFailure } from "../../store/store-failure.ts";

/**
 * Opens the App's store beside the running App: looking changes nothing and makes nothing, least of all in the
 * wrong place.
 *
 * @throws StoreFailure, or UserError when there is nothing of ours.
 */
export async function openRunStore(env: Readonly<Record<string, string | undefined>>): Promise<ReadingStore> {
  const url = env["DATABASE_URL"] ?? "";
  if (url !== "" && !isPostgresAddress(url))
    throw new UserError("DATABASE_URL is no address of a PostgreSQL database (postgres://…).");
  try {
    if (url !== "") return await openStoreForReading({ url });
    return await openStoreForReading({ file: path.join(env["TASKFLEET_DATA_DIR"] ?? "data", "taskfleet.sqlite") });
  } catch (error) {
    const elsewhere =
      error instanceof StoreFailure && (error.kind === "foreign" || (url === "" && error.kind === "unavailable"));
    if (!elsewhere) throw error;
    throw new UserError(`${error.message} Set TASKFLEET_DATA_DIR or DATABASE_URL as the App has them.`);
  }
}

/** The addresses that pg understands: `/folder/of/the/socket database` is one, too. */
function isPostgresAddress(url: string): boolean {
  if (url.startsWith("/")) return true;
  return URL.canParse(url) && ["postgres:", "postgresql:", "socket:"].includes(new URL(url).protocol);
}

/**
 * @param name a run key; `owner/repository/run key` where several repositories have it; `repository id/run key` where
 *   even those are several, since a repository was made again under its name.
 * @throws UserError
 */
export async function findRun(store: Pick<ReadingStore, "loadRuns">, name: string): Promise<RunRecord> {
  const runs = await store.loadRuns();
  const wanted = name.toLowerCase();
  const found = runs.filter((run) => listNames(run).some((known) => known.toLowerCase() === wanted));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (found.length > 0) {
    const names = found.map(formatFullName);
    const distinct = new Set(names).size === names.length;
    const list = distinct ? names : found.map(({ repositoryId, runKey }) => `${repositoryId}/${runKey}`);
    throw new UserError(`Several runs are named ${name}: ${list.join(", ")}.`);
  }
  const shown = runs.slice(-20).map(formatFullName).join(", ") || "none";
  throw new UserError(`No run is named ${name}. There are: ${shown}.`);
}

function listNames(run: RunRecord): readonly string[] {
  return [run.runKey, formatFullName(run), `${run.repositoryId}/${run.runKey}`];
}

function formatFullName({ owner, name, runKey }: RunRecord): string {
  return `${owner}/${name}/${runKey}`;
}
