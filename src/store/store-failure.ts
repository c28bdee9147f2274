/**
 * - full: no room left (disk, quota); nothing of the failed change was kept;
 * - locked: another process holds the database longer than we wait;
 * - corrupt: the file or a page of it is no database;
 * - unavailable: the server cannot be reached, is starting, stopping or refuses us;
 * - exists: what was to be created is there already;
 * - moved: something was written that whoever wants to write does not know of;
 * - newer: the database was written by a newer Taskfleet;
 * - older: by an older one, and it was not to be brought up to date;
 * - foreign: there is nothing of Taskfleet in it, and nothing was to be made;
 * - unknown: anything else the database said.
 */
export type StoreFailureKind =
  | "full"
  | "locked"
  | "corrupt"
  | "unavailable"
  | "exists"
  | "moved"
  | "newer"
  | "older"
  | "foreign"
  | "unknown";

/** The store could not do what it was asked to. No part of the change was kept. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  readonly kind: StoreFailureKind;

  constructor(kind: StoreFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const sentences: Readonly<Record<StoreFailureKind, string>> = {
  full: "The database has no room left: free disk space or raise its quota, then start again.",
  locked: "The database is held by another process: stop it, or wait until it is done.",
  corrupt: "The database is damaged or no database: restore a copy, or run `taskfleet rebuild` with a new one.",
  unavailable: "The database cannot be reached: check that it runs and that its address and password are right.",
  exists: "It exists already.",
  moved: "Somebody else has written meanwhile.",
  newer: "The database was written by a newer version of Taskfleet: start that version.",
  older: "The database is of an older version of Taskfleet.",
  foreign: "There is nothing of Taskfleet in the database.",
  unknown: "The database refused.",
};

/** A file is `unavailable` in other ways than a server. */
const FILE_UNAVAILABLE = "The database's file cannot be used: check its folder, the rights on it and the disk.";

/** SQLite's primary result codes (sqlite.org/rescode.html); the lowest byte of an extended code. */
const sqliteKinds: Readonly<Record<number, StoreFailureKind>> = {
  5: "locked",
  6: "locked",
  8: "unavailable",
  10: "unavailable",
  11: "corrupt",
  13: "full",
  14: "unavailable",
  26: "corrupt",
};

/** SQLSTATE codes and classes (postgresql.org/docs/current/errcodes-appendix.html) and socket errors. */
const postgresKinds: ReadonlyArray<readonly [pattern: RegExp, kind: StoreFailureKind]> = [
  [/^(?:53100|53200|54)/u, "full"],
  [/^(?:55P03|55006|57014)/u, "locked"],
  [/^(?:XX001|XX002|58030)/u, "corrupt"],
  [/^(?:08|28|3D000|53300|57P0|E[A-Z]{3,})/u, "unavailable"],
  [/^23505/u, "exists"],
];

const sqliteUnique = new Set([1555, 2067]);

/** One place that tells what a driver's error means; the driver's own words are kept, they hold no values. */
export function mapStoreError(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const kind = classify(error);
  const said = formatSaid(error);
  const sentence = kind === "unavailable" && isAboutFile(error) ? FILE_UNAVAILABLE : sentences[kind];
  return new StoreFailure(kind, `${sentence} (${said})`, { cause: error });
}

/** Where a server's name has several addresses, each failed for itself, and the error as a whole says nothing. */
function formatSaid(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(formatSaid).join(", ");
  return error instanceof Error ? error.message : String(error);
}

/** SQLite's errors carry its code, those of the file system a path. */
function isAboutFile(error: unknown): boolean {
  return typeof error === "object" && error !== null && ("errcode" in error || "path" in error);
}

function classify(error: unknown): StoreFailureKind {
  if (typeof error !== "object" || error === null) return "unknown";
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") {
    if (sqliteUnique.has(errcode)) return "exists";
    return sqliteKinds[errcode & 0xff] ?? "unknown";
  }
  if (typeof code === "string") return postgresKinds.find(([pattern]) => pattern.test(code))?.[1] ?? "unknown";
  return isBrokenConnection(error) ? "unavailable" : "unknown";
}

/** The server went away, or is starting or stopping: a new connection may do. */
export function isBrokenConnection(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return /^(?:08|57P0|E[A-Z]{3,})/u.test(code);
  // pg reports a connection that broke in the middle of a query without a code.
  return error instanceof Error && /connection (?:terminated|timeout)|timeout exceeded/iu.test(error.message);
}

/**
 * Two transactions stood in each other's way (PostgreSQL's deadlock and serialization failures,
 * SQLite's lock): the database undid this one, so it may simply run again.
 */
export function isTransactionClash(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") return sqliteKinds[errcode & 0xff] === "locked";
  return code === "40P01" || code === "40001";
}
