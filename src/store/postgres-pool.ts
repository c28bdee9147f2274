import { Pool, type PoolConfig, types } from "pg";

type GetTypeParser = NonNullable<PoolConfig["types"]>["getTypeParser"];

const parseBigint = (text: string): number => Number(text);

/**
 * A pool whose numbers are numbers: times and GitHub's ids are below 2^53, so an int8 needs no
 * string. Commits are durable as the server is configured (`synchronous_commit`, on by default).
 */
export function openPostgres(url: string): Pool {
  const getTypeParser: GetTypeParser = (type, format) =>
    type === types.builtins.INT8 ? parseBigint : (types.getTypeParser(type, format) as typeof parseBigint);
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    application_name: "taskfleet",
    types: { getTypeParser },
  });
  // A connection that breaks is replaced by the pool, and the query on it fails. The event beside
  // that, from the pool for an idle connection and from the client for a busy one, would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
