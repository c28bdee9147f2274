/** A PostgreSQL server for one test file: in a temporary folder, on a socket only, gone afterwards. */
import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";

export interface PostgresServer {
  /** The address of a new, empty database. */
  createDatabase(): string;
  /** Ends every connection at once, as a crash would, and starts again. */
  restart(): void;
  stop(): void;
}

const roots = "/usr/lib/postgresql";

/** The folder of the server's programs, or null when it is not installed. */
export function findPostgres(): string | null {
  const versions = existsSync(roots) ? readdirSync(roots).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => path.join(roots, version, "bin")), "/usr/local/bin", "/usr/bin"];
  return folders.find((folder) => existsSync(path.join(folder, "initdb"))) ?? null;
}

/** @param settings further server settings, e.g. `["fsync=on"]`; by default nothing is synced to disk. */
export function startPostgres(bin: string, settings: readonly string[] = ["fsync=off"]): PostgresServer {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-pg-"));
  const account = unprivilegedAccount();
  if (account !== null) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, "data");
  const options: SpawnSyncOptions = { cwd: folder, encoding: "utf8", ...account };
  const call = (program: string, ...args: readonly string[]): void => {
    // pg_ctl's server would keep a pipe open for ever.
    const result = spawnSync(path.join(bin, program), args, { ...options, stdio: ["ignore", "ignore", "ignore"] });
    if (result.status !== 0) throw new Error(`${program} ended with ${result.status ?? result.signal ?? "an error"}`);
  };
  const server = ["-c listen_addresses=", `-c unix_socket_directories=${folder}`];
  const flags = [...server, ...settings.map((setting) => `-c ${setting}`)].join(" ");
  const start = () => call("pg_ctl", "start", "-w", "-D", data, "-l", path.join(folder, "log"), "-o", flags);
  let databases = 0;
  try {
    call("initdb", "-D", data, "-U", "taskfleet", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C");
    start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    createDatabase() {
      databases += 1;
      const name = `store${databases}`;
      call("psql", "-h", folder, "-U", "taskfleet", "-d", "postgres", "-c", `create database ${name}`);
      return `postgres://taskfleet@${encodeURIComponent(folder)}/${name}`;
    },
    restart() {
      call("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data);
      start();
    },
    stop() {
      call("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: then it runs as its own account, or as nobody. */
function unprivilegedAccount(): { readonly uid: number; readonly gid: number } | null {
  if (userInfo().uid !== 0) return null;
  for (const name of ["postgres", "nobody"]) {
    const uid = Number(spawnSync("id", ["-u", name], { encoding: "utf8" }).stdout);
    const gid = Number(spawnSync("id", ["-g", name], { encoding: "utf8" }).stdout);
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new Error("no account to run PostgreSQL with");
}
