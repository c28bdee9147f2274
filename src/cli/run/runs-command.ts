import { foldAll } from "../../engine/fold.ts";
import { derivePhase } from "../../fleet/loop/derive-phase.ts";
import { readFact } from "../../fleet/run-session.ts";
import type { RunRecord, Store } from "../../store/port.ts";
import type { CommandModule } from "../command-registry.ts";
import { openRunStore } from "./find-run.ts";
import { isOperatorFailure } from "./operator-failure.ts";

interface Listed {
  readonly run: string;
  readonly repository: string;
  readonly issue: number;
  readonly status: "open" | "closed";
  readonly phase: string;
  readonly landed: number;
  readonly chunks: number;
  readonly since: string;
}

/** `taskfleet runs`: the open runs and where they stand, from the App's own database. */
export const addCommand: CommandModule["addCommand"] = (program, setExitCode, terminal) => {
  program
    .command("runs")
    .description("list runs and where they stand (reads beside a running App)")
    .option("--all", "closed ones too")
    .option("--json", "one JSON object a line")
    .action(async (options: { readonly all?: boolean; readonly json?: boolean }) => {
      try {
        const listed = await listRuns(options.all === true ? "all" : "open");
        for (const entry of listed)
          terminal.write(options.json === true ? `${JSON.stringify(entry)}\n` : format(entry));
        if (listed.length === 0 && options.json !== true) terminal.write("No runs.\n");
      } catch (error) {
        if (!isOperatorFailure(error)) throw error;
        terminal.writeError(`${error.message}\n`);
        setExitCode(2);
      }
    });
};

async function listRuns(which: "all" | "open"): Promise<readonly Listed[]> {
  const store = await openRunStore(process.env);
  try {
    const records = which === "all" ? await store.loadRuns() : await store.loadOpenRuns();
    return await Promise.all(records.map((record) => describe(store, record)));
  } finally {
    await store.close();
  }
}

async function describe(store: Store, record: RunRecord): Promise<Listed> {
  const state = foldAll((await store.loadFacts(record)).map(readFact), null);
  const chunks = state === null ? [] : state.chunks.rows;
  return {
    run: record.runKey,
    repository: `${record.owner}/${record.name}`,
    issue: record.issue,
    status: record.status,
    phase: state === null ? "unknown" : derivePhase(state, Date.now()),
    landed: chunks.filter((chunk) => chunk.landed !== null).length,
    chunks: chunks.length,
    since: new Date(record.createdAt).toISOString(),
  };
}

function format({ run, repository, issue, phase, landed, chunks, since }: Listed): string {
  return `${repository}#${issue}  ${run}  ${phase}  ${landed}/${chunks} landed  since ${since.slice(0, 16)}\n`;
}
