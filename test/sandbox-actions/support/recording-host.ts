import { EventEmitter, once } from "node:events";
import type { Conclusion, Permission, RunnerHost } from "../../../src/sandbox/actions/runner-host.ts";

export interface RecordedJob {
  readonly id: number;
  readonly name: string;
  readonly lines: string[];
  conclusion: Conclusion | null;
}

/** A host that remembers everything the runner tells it. */
export class RecordingHost implements RunnerHost {
  readonly jobs: RecordedJob[] = [];
  readonly tokens: Array<Readonly<Record<string, Permission>>> = [];
  readonly artifacts = new Map<string, Uint8Array>();
  readonly summaries: string[] = [];
  readonly #lines = new EventEmitter();

  issueToken(permissions: Readonly<Record<string, Permission>>): string {
    this.tokens.push(permissions);
    return `ghs_token_number_${this.tokens.length}`;
  }

  jobStarted({ name }: { readonly name: string }): number {
    const id = this.jobs.length + 1;
    this.jobs.push({ id, name, lines: [], conclusion: null });
    return id;
  }

  jobCompleted(jobId: number, conclusion: Conclusion): void {
    this.#find(jobId).conclusion = conclusion;
  }

  log(jobId: number, line: string): void {
    this.#find(jobId).lines.push(line);
    this.#lines.emit("line", line);
  }

  saveArtifact(name: string, zip: Uint8Array): void {
    this.artifacts.set(name, zip);
  }

  loadArtifact(name: string): Uint8Array | null {
    return this.artifacts.get(name) ?? null;
  }

  listArtifacts(): readonly string[] {
    return [...this.artifacts.keys()];
  }

  addSummary(_jobId: number, markdown: string): void {
    this.summaries.push(markdown);
  }

  /** All log lines of all jobs as one text. */
  get text(): string {
    return this.jobs.flatMap((job) => job.lines).join("\n");
  }

  /** Resolves with the first line, past or future, that is exactly this. */
  async waitForLine(line: string): Promise<void> {
    if (this.jobs.some((job) => job.lines.includes(line))) return;
    for (;;) {
      const [next] = (await once(this.#lines, "line")) as [string];
      if (next === line) return;
    }
  }

  /** Job name -> conclusion. */
  get conclusions(): Record<string, Conclusion | null> {
    return Object.fromEntries(this.jobs.map((job) => [job.name, job.conclusion]));
  }

  #find(jobId: number): RecordedJob {
    const job = this.jobs[jobId - 1];
    if (job === undefined) throw new Error(`job ${jobId} was never started`);
    return job;
  }
}
