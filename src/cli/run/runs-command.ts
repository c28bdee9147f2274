import { foldAll } from "../../engine/fold.ts";
import type { RunState } from "../../engine/state.ts";
import { derivePhase } from "../../fleet/loop/derive-phase.ts";
import type { ReadingStore } from "../../store/open-for-reading.ts";
import type { RunRecord } from "../../store/port.ts";
import { StoreFailure } from "../../store/store-failure.ts";
import type { CommandModule } from "../command-registry.ts";
import { formatTerminalLine } from "../terminal-text.ts";
import { askStore } from "./ask-store.ts";
import { loadRunFacts } from "./load-run-facts.ts";

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
    .action((options: { readonly all?: boolean; readonly json?: boolean }) =>
      askStore(terminal, setExitCode, async (store) => {
        const records = options.all === true ? await store.loadRuns() : await store.loadOpenRuns();
        for (const record of records) {
          const entry = await describe(store, record);
          terminal.write(options.json === true ? `${JSON.stringify(entry)}\n` : format(entry));
        }
        if (records.length === 0 && options.json !== true) terminal.write("No runs.\n");
      }),
    );
};

async function describe(store: ReadingStore, record: RunRecord): Promise<Listed> {
  const state = await loadState(store, record);
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

/** null for one that this version cannot read: it does not hide the others, and `explain` says what it is. */
async function loadState(store: ReadingStore, record: RunRecord): Promise<RunState | null> {
  try {
    return foldAll(await loadRunFacts(store, record));
  } catch (error) {
    if (error instanceof StoreFailure) throw error;
    return null;
  }
}

function format({ run, repository, issue, phase, landed, chunks, since }: Listed): string {
  const cells = [`${repository}#${issue}`, run, phase, `${landed}/${chunks} landed`, `since ${since.slice(0, 16)}`];
  return `${cells.map(formatTerminalLine).join("  ")}\n`;
}
