/** What every story has: the facts of a run, their fold, its clock and its numbers; jobs, comments and commands. */
import { configSchema, type Config } from "../../src/contracts/config.ts";
import { formatRunKey, type JobId, type RunId, type RunKey } from "../../src/contracts/ids.ts";
import type { Usage } from "../../src/contracts/job.ts";
import { deriveNextJob, type NewSubject } from "../../src/engine/derive/jobs.ts";
import { isAgentJob } from "../../src/engine/derive/agent-job.ts";
import { derivePurpose } from "../../src/engine/derive/purpose.ts";
import type { CommandName } from "../../src/contracts/commands.ts";
import type { Fact, RecordedFact, RunStarted } from "../../src/engine/fact.ts";
import { fold } from "../../src/engine/fold.ts";
import type { AttemptState, RunState } from "../../src/engine/state.ts";
import { fakeSha } from "./names.ts";

/** 30 November 2026, 09:00 UTC. */
const MORNING = 1_796_029_200_000;
const MINUTE = 60_000;
export const URL = "https://github.com/octo/tally";
const USAGE: Usage = { inputTokens: 40_000, outputTokens: 3_000, usd: 0.21, model: "model-1" };

export interface StoryOptions {
  readonly issue?: number;
  readonly title?: string;
  readonly actor?: string;
  /** What differs from the default configuration, as the file has it. */
  readonly config?: unknown;
  /** A first plan that no planner wrote. */
  readonly given?: RunStarted["given"];
}

export class RecordedRun {
  readonly facts: RecordedFact[] = [];
  readonly run: RunKey;
  readonly config: Config;
  #state: RunState | null = null;
  #now = MORNING;
  #comment = 1000;
  #number: number;

  constructor(options: StoryOptions = {}) {
    const issue = options.issue ?? 7;
    const title = options.title ?? "Budgets per category";
    this.run = formatRunKey(issue, 1, title);
    this.config = configSchema.parse(options.config ?? {});
    this.#number = issue + 1;
    const started: RunStarted = {
      kind: "RunStarted",
      run: this.run,
      runId: "2026-11-30-001" as RunId,
      repository: { id: 1, owner: "octo", name: "tally", url: URL },
      issue,
      title,
      actor: options.actor ?? "alice",
      source: "main",
      fork: fakeSha("fork"),
      defaultBranch: "main",
      tools: fakeSha("fork"),
      config: this.config,
      configBlob: null,
      intent: title,
      related: [],
      ...(options.given === undefined ? {} : { given: options.given }),
    };
    this.record(started);
  }

  get state(): RunState {
    if (this.#state === null) throw new Error("nothing has happened yet");
    return this.#state;
  }

  get now(): number {
    return this.#now;
  }

  /** Time passes without anything happening. */
  wait(milliseconds: number): this {
    this.#now += milliseconds;
    return this;
  }

  record(...facts: readonly Fact[]): this {
    for (const fact of facts) {
      const recorded: RecordedFact = { seq: this.facts.length + 1, at: this.#now, fact };
      this.facts.push(recorded);
      this.#state = fold(this.#state, recorded);
    }
    return this;
  }

  /** The next number of an issue or pull request. */
  nextNumber(): number {
    return this.#number++;
  }

  /** The id of the next comment, whoever writes it: ids grow with time. */
  nextComment(): number {
    return this.#comment++;
  }

  dispatch(subject: NewSubject, attempt: AttemptState["n"] | null = null): JobId {
    const next = deriveNextJob(this.state, subject);
    const runId = 5000 + this.facts.length;
    this.record({
      kind: "JobDispatched",
      effect: `job:${next.job}`,
      job: next.job,
      subject: next.subject,
      runId,
      url: `${URL}/actions/runs/${runId}`,
      attempt: null,
      attemptOf: attempt,
      purpose: derivePurpose(this.state, next.subject),
      ...(isAgentJob(next.subject) ? { agent: "default" } : {}),
    });
    return next.job;
  }

  endJob(job: JobId, outcome: "done" | "unusable" | "external" | "lost" | "cancelled" = "done", cause = ""): this {
    return this.wait(2 * MINUTE).record({
      kind: "JobEnded",
      job,
      outcome,
      cause,
      usage: outcome === "done" ? USAGE : null,
      runId: null,
      url: null,
    });
  }

  comment(key: string): this {
    const id = this.nextComment();
    return this.record({
      kind: "CommentPosted",
      effect: `comment:${key}`,
      key,
      id,
      url: `${URL}/issues/${this.state.run.issue}#issuecomment-${id}`,
    });
  }

  /** A person with write access comments. @returns the comment's id */
  command(name: CommandName | "unknown", args = "", by = "alice"): number {
    const comment = this.nextComment();
    this.record({ kind: "CommandReceived", comment, line: 0, on: this.state.run.issue, by, name, args });
    return comment;
  }

  /** A check run of ours, as it stands for one job's result. */
  protected publish(externalId: string, revision: string): this {
    const id = this.facts.length;
    return this.record({
      kind: "CheckPublished",
      effect: `check:${externalId}:${revision}`,
      externalId,
      id,
      url: `${URL}/runs/${id}`,
      revision,
    });
  }
}
