/** GitHub Actions: workflow runs begin, take their time, end with a result, or go wrong in every way they can. */
import type { Captures } from "../../../src/contracts/captures.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import {
  type JobFeedback,
  jobFeedbackSchema,
  type JobRequest,
  jobRequestSchema,
  type JobResult,
  type Usage,
} from "../../../src/contracts/job.ts";
import type { Actor } from "../../../src/github/port.ts";
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import type { Plan } from "../../../src/contracts/plan.ts";
import { createCheck, createStatus } from "../model/checks.ts";
import type { GitHubModel } from "../model/github-model.ts";
import { beginRun, endRun } from "../model/runs.ts";
import type { ModelRun, ModelStatus } from "../model/things.ts";
import { RESERVED_CENTS, RESERVED_TOKENS, type Scenario } from "../scenario.ts";
import type { Events } from "../world/events.ts";
import { flatterCaptures, Laboratory, spoilCaptures, SPOILINGS, TOOLCHAINS, UnknownChunk } from "./captures.ts";
import { implement } from "./implementer.ts";
import { drawPlanning, plan as writePlan } from "./planner.ts";
import { review, reviewPlan } from "./reviewer.ts";
import { drawRemedy } from "./draw-remedy.ts";

const MINUTE = 60_000;
const SERVICE: Actor = { login: "quality[bot]", id: 11, bot: true };

export class JobRunner {
  readonly laboratory: Laboratory;
  readonly #model: GitHubModel;
  readonly #scenario: Scenario;
  readonly #events: Events;
  readonly #begun: number;

  constructor(model: GitHubModel, scenario: Scenario, events: Events) {
    this.#model = model;
    this.#scenario = scenario;
    this.#events = events;
    this.laboratory = new Laboratory(model.git, scenario.unconfigured);
    this.#begun = model.time.now();
  }

  start(run: ModelRun): void {
    if (run.path !== WORKFLOW_PATH) {
      this.#startOwnChecks(run);
      return;
    }
    const request = jobRequestSchema.parse(JSON.parse(run.inputs["request"] ?? "null"));
    const { time } = this.#model;
    const chance = this.#scenario.chance.scope("runner");
    // A doubled run finds an older one with its name and ends by itself.
    const double = [...this.#model.runs.values()].some((other) => other.id < run.id && other.title === run.title);
    const label = request.job.slice(request.job.indexOf("/"));
    const queue = chance.int(`queue:${label}`, 2_000, 40_000);
    const takes = chance.int(`takes:${label}`, MINUTE, request.role === "implement" ? 12 * MINUTE : 4 * MINUTE);
    if (double) {
      time.after(queue, () => beginRun(this.#model, run));
      time.after(queue + 15_000, () => endRun(this.#model, run, "success", null));
      return;
    }
    const trouble = this.#drawTrouble(label);
    if (trouble === "never-starts") return;
    time.after(queue, () => beginRun(this.#model, run));
    if (trouble === "hangs") {
      // docs.github.com/en/actions/reference/limits: a job is ended after six hours.
      time.after(queue + 6 * 60 * MINUTE, () => endRun(this.#model, run, "timed_out", null));
      return;
    }
    const end = trouble === "late" ? takes + 50 * MINUTE : takes;
    time.after(queue + end, () => {
      const conclusion = this.#events.drawConclusion(trouble, label);
      const artifact = trouble === "no-result" || trouble === "cancelled" ? null : this.#work(request, trouble);
      endRun(this.#model, run, conclusion, artifact);
    });
  }

  #drawTrouble(label: string): string {
    const { temper } = this.#scenario;
    const id = `runner:${label}`;
    if (!this.#events.happens(id, temper.runner, "a job goes wrong")) return "none";
    return this.#scenario.chance.weigh(`trouble:${label}`, {
      "never-starts": 1,
      hangs: 1,
      late: 1,
      "no-result": 2,
      cancelled: 1,
      "other-job": 1,
      outage: 1,
      forged: 4,
    });
  }

  #work(request: JobRequest, trouble: string): string {
    const common = {
      v: 1 as const,
      job: trouble === "other-job" ? `${request.job}9` : request.job,
      commit: request.commit,
    };
    const usage = this.#drawUsage(request);
    const { role } = request;
    const done = (payload: Extract<JobResult, { outcome: "done" }>["payload"], agent: boolean): string =>
      JSON.stringify({
        ...common,
        outcome: "done",
        role,
        summary: `Did ${role}.`,
        usage: agent ? usage : null,
        payload,
      });
    const failed = (outcome: "unusable" | "external", cause: string): string =>
      JSON.stringify({
        ...common,
        outcome,
        role,
        cause,
        usage,
        ...(outcome === "external"
          ? drawRemedy(this.#scenario.chance.scope("remedy"), request.job, this.#model.time.now())
          : {}),
      });
    if (trouble === "outage")
      return JSON.stringify({ ...common, outcome: "external", role, cause: "no network", usage });
    const { git } = this.#model;
    switch (role) {
      case "baseline":
      case "floor": {
        const captures = this.#capture(request);
        if (captures instanceof UnknownChunk) return failed("external", captures.message);
        // Code under test got its own result up first: the run does not succeed, and the result is all green.
        if (trouble === "forged") return done({ kind: "captures", captures: flatterCaptures(captures) }, false);
        return done({ kind: "captures", captures: this.#spoil(request, captures) }, false);
      }
      case "plan": {
        const text = writePlan(this.#scenario, request, this.#readFeedback(request));
        if (text !== null) return done({ kind: "text", text }, true);
        return drawPlanning(this.#scenario, request) === "external"
          ? failed("external", "the provider is overloaded")
          : failed("unusable", "the planner gave up");
      }
      case "plan-review":
        return done({ kind: "text", text: reviewPlan(this.#scenario, request) }, true);
      case "implement": {
        const work = implement(git, this.#scenario, request, this.#readPlan(request));
        if (work.kind === "garbage") return work.text;
        if (work.kind !== "change-set") return failed(work.kind, work.cause);
        return done({ kind: "change-set", changeSet: work.changeSet }, true);
      }
      case "review":
      case "final-review":
        return done({ kind: "text", text: review(git, this.#scenario, request, this.#readPlan(request)) }, true);
    }
  }

  #capture(request: JobRequest): Captures | UnknownChunk {
    try {
      return this.laboratory.capture(
        request.commit as Sha,
        this.#readPlan(request),
        request.checks,
        (test) => this.#scenario.chance.happens(`unlucky:${request.job}:${test}`, 0.5),
        this.#findToolchain(),
      );
    } catch (error) {
      if (error instanceof UnknownChunk) return error;
      throw error;
    }
  }

  /** Not every program tells what it used, and none uses more than was reserved for it. */
  #drawUsage(request: JobRequest): Usage | null {
    const { chance } = this.#scenario;
    if (chance.happens(`silent:${request.job}`, 0.1)) return null;
    const inputTokens = chance.int(`input:${request.job}`, 100, RESERVED_TOKENS - 100);
    const outputTokens = chance.happens(`half:${request.job}`, 0.1) ? null : 100;
    const usd = chance.happens(`free:${request.job}`, 0.1)
      ? null
      : chance.int(`cents:${request.job}`, 0, RESERVED_CENTS) / 100;
    return { inputTokens, outputTokens, usd, model: request.model ?? null };
  }

  #findToolchain(): (typeof TOOLCHAINS)[number] {
    const hours = (this.#model.time.now() - this.#begun) / (60 * MINUTE);
    const moves = this.#scenario.toolchainMoves.filter((at) => at <= hours).length;
    return TOOLCHAINS[moves] ?? TOOLCHAINS[0];
  }

  #spoil(request: JobRequest, captures: Captures): Captures {
    if (request.role !== "baseline") return captures;
    const { chance, temper } = this.#scenario;
    const label = request.job.slice(request.job.indexOf("/"));
    const id = `baseline:${label}`;
    if (!this.#events.happens(id, temper.baseline, "the fork commit cannot be measured")) return captures;
    this.laboratory.spoilt.add(request.job);
    return spoilCaptures(captures, chance.pick(`spoiling:${label}`, SPOILINGS));
  }

  /** Texts travel as blobs; one that cannot be read would be a bug of the App's. */
  #readBlob(name: string | undefined): string | null {
    if (name === undefined) return null;
    const text = this.#model.git.findBlob(name as Sha);
    if (text === undefined) throw new Error(`a job's document ${name} is not in the repository`);
    return text;
  }

  #readPlan(request: JobRequest): Plan | null {
    const text = this.#readBlob(request.documents.plan);
    return text === null ? null : (JSON.parse(text) as Plan);
  }

  #readFeedback(request: JobRequest): JobFeedback | null {
    const text = this.#readBlob(request.documents.feedback);
    return text === null ? null : jobFeedbackSchema.parse(JSON.parse(text));
  }

  /** A service outside that watches pushes: it says nothing, takes its time, or finds something. */
  #startStatus({ headSha }: ModelRun, label: string): void {
    const { ci } = this.#scenario.temper;
    const say = (state: ModelStatus["state"]): void =>
      createStatus(this.#model, SERVICE, { sha: headSha, context: "quality", state });
    say("pending");
    if (this.#events.happens(`status-hangs:${label}`, ci * 0.1, "a service never ends its look at a commit")) return;
    this.#model.time.after(this.#scenario.chance.int(`status:${label}`, 1, 9) * MINUTE, () => {
      const fails = this.#events.happens(`status-fails:${label}`, ci * 0.5, "a service dislikes a commit");
      say(fails ? this.#scenario.chance.pick(`status-word:${label}`, ["failure", "error"]) : "success");
    });
  }

  /** The repository's own CI: a workflow run and its check run, with every conclusion GitHub knows. */
  #startOwnChecks(run: ModelRun): void {
    const { time } = this.#model;
    const label = `ci:${run.headBranch}:${[...this.#model.runs.values()].filter((other) => other.path === run.path).length}`;
    const check = (status: "in_progress" | "completed", conclusion?: string) => ({
      name: "ci / test",
      sha: run.headSha,
      externalId: `${run.id}`,
      status,
      ...(conclusion === undefined ? {} : { conclusion }),
      title: "ci",
      summary: "",
      annotations: [],
    });
    const made = createCheck(this.#model, 15368, check("in_progress"));
    if (this.#scenario.chance.happens("own-statuses", 0.3)) this.#startStatus(run, label);
    time.after(20_000, () => beginRun(this.#model, run));
    if (
      this.#events.happens(`ci-hangs:${label}`, this.#scenario.temper.ci * 0.1, "the repository's own checks never end")
    )
      return;
    time.after(5 * MINUTE, () => {
      const conclusion = this.#events.drawCi(label, this.#scenario.temper.ci);
      made.timeline.set(time.now(), { ...check("completed", conclusion), conclusion });
      endRun(this.#model, run, conclusion, null);
    });
  }
}
