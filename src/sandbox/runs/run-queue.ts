import type { Background } from "../background.ts";
import type { Repository } from "../state/repository.ts";
import type { WorkflowRun } from "../state/workflow-run.ts";

/** Executes one run to its end and records everything about it. */
export type ExecuteRun = (repository: Repository, run: WorkflowRun) => Promise<void>;

/** Runs wait here until one of the slots is free, first come, first served. */
export class RunQueue {
  readonly #background: Background;
  readonly #slots: number;
  readonly #execute: ExecuteRun;
  readonly #waiting: { readonly repository: Repository; readonly run: WorkflowRun }[] = [];
  readonly #running = new Set<WorkflowRun>();

  constructor(parts: { readonly background: Background; readonly slots: number; readonly execute: ExecuteRun }) {
    this.#background = parts.background;
    this.#slots = parts.slots;
    this.#execute = parts.execute;
  }

  enqueue(repository: Repository, run: WorkflowRun): void {
    this.#waiting.push({ repository, run });
    this.#fill();
  }

  /** Takes a run out of the queue; false when it is not waiting any more. */
  withdraw(run: WorkflowRun): boolean {
    const index = this.#waiting.findIndex((entry) => entry.run === run);
    if (index < 0) return false;
    this.#waiting.splice(index, 1);
    return true;
  }

  /** Asks all running runs to stop and forgets the waiting ones. */
  stop(): void {
    this.#waiting.length = 0;
    for (const run of this.#running) run.abort.abort();
  }

  #fill(): void {
    while (this.#running.size < this.#slots) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running.add(next.run);
      this.#background.schedule(0, async () => {
        try {
          await this.#execute(next.repository, next.run);
        } finally {
          this.#running.delete(next.run);
          this.#fill();
        }
      });
    }
  }
}
