/**
 * Loaded into the App's process before its program: it is killed (SIGKILL) right after it has carried out the first
 * action of each kind, before what came of it is recorded. The kinds that had their turn stand in a file, one a
 * line, for the next process.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const ledger = process.env["TASKFLEET_TEST_LEDGER"] ?? "";
const killed = new Set(existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : []);

/** What carries out an action, and what records it. */
const PERFORMED = "await session.append(facts);";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/src/fleet/apply.ts")) return loaded;
    const [before, after, ...more] = readFileSync(new URL(url), "utf8").split(PERFORMED);
    if (after === undefined || more.length > 0) throw new Error(`${url} does not record what came of an action once`);
    return { ...loaded, source: `${before}process.emit("performed", action.kind); ${PERFORMED}${after}` };
  },
});

(process as NodeJS.EventEmitter).on("performed", (kind: string) => {
  if (killed.has(kind)) return;
  appendFileSync(ledger, `${kind}\n`);
  process.kill(process.pid, "SIGKILL");
});
