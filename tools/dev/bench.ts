/**
 * `npm run bench -- [name …]`: runs the named benchmarks, or all. Each is a file in bench/ and is
 * loaded only when it runs; it prints a table and fails when a limit is exceeded.
 */

export interface Bench {
  /** @returns what was exceeded, one sentence each; empty when all limits hold */
  readonly run: () => Promise<readonly string[]>;
}

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  floor: () => import("./bench/floor.ts"),
  plan: () => import("./bench/plan.ts"),
  schedule: () => import("./bench/schedule.ts"),
  decide: () => import("./bench/decide.ts"),
  ingest: () => import("./bench/ingest.ts"),
  budget: () => import("./bench/budget.ts"),
  burst: () => import("./bench/burst.ts"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no benchmark is named ${unknown.join(", ")}; there are: ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  console.log(`bench ${name}`);
  const bench = await benches[name]!();
  for (const failure of await bench.run()) {
    console.error(`bench ${name}: ${failure}`);
    process.exitCode = 1;
  }
}
