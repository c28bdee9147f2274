import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Conclusion, Permission, RunnerHost } from "../actions/runner-host.ts";
import { issueRunToken } from "../auth/tokens.ts";
import { emitCheckRun } from "../checks/record-check.ts";
import { formatRepositoryPage } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { CheckRun } from "../state/check.ts";
import type { PermissionLevel } from "../state/app.ts";
import type { Repository } from "../state/repository.ts";
import type { Job, WorkflowRun } from "../state/workflow-run.ts";
import { emitJob } from "./emit-run.ts";

/** GitHub's side of one run: tokens, jobs with their check runs, logs, artifacts. */
export class JobRecorder implements RunnerHost {
  readonly #services: Services;
  readonly #repository: Repository;
  readonly #run: WorkflowRun;
  readonly #jobs: Job[] = [];
  #announcements: Promise<void> = Promise.resolve();

  constructor(services: Services, repository: Repository, run: WorkflowRun) {
    this.#services = services;
    this.#repository = repository;
    this.#run = run;
  }

  issueToken(permissions: Readonly<Record<string, Permission>>): string {
    const held: Record<string, PermissionLevel> = { metadata: "read" };
    for (const [name, level] of Object.entries(permissions)) {
      // Workflow files write `pull-requests`; the API says `pull_requests`.
      if (level !== "none") held[name.replaceAll("-", "_")] = level;
    }
    return issueRunToken(this.#services.world, {
      repositoryId: this.#repository.id,
      runId: this.#run.id,
      permissions: held,
    });
  }

  jobStarted({ name }: { readonly name: string }): number {
    const { world } = this.#services;
    const startedAt = world.now();
    // A job and its check run are one thing with one id.
    const id = world.ids.take("checkRun");
    const job: Job = {
      id,
      runId: this.#run.id,
      name,
      status: "in_progress",
      conclusion: null,
      startedAt,
      completedAt: null,
      log: [],
    };
    const check: CheckRun = {
      id,
      suiteId: this.#run.suiteId,
      appId: world.actionsApp.id,
      headSha: this.#run.headSha,
      name,
      externalId: String(this.#run.id),
      detailsUrl: `${formatRepositoryPage(this.#services.urls, this.#repository)}/actions/runs/${this.#run.id}/job/${id}`,
      status: "in_progress",
      conclusion: null,
      startedAt,
      completedAt: null,
      title: null,
      summary: null,
      text: null,
      annotations: [],
      actions: [],
    };
    this.#jobs.push(job);
    this.#repository.jobs.set(id, job);
    this.#repository.checkRuns.set(id, check);
    this.#announce(job, "created");
    return id;
  }

  jobCompleted(jobId: number, conclusion: Conclusion): void {
    const job = this.#jobs.find((candidate) => candidate.id === jobId);
    const check = this.#repository.checkRuns.get(jobId);
    if (job === undefined || check === undefined || job.status === "completed") return;
    job.status = "completed";
    job.conclusion = conclusion;
    job.completedAt = this.#services.world.now();
    check.status = "completed";
    check.conclusion = conclusion;
    check.completedAt = job.completedAt;
    this.#announce(job, "completed");
  }

  log(jobId: number, line: string): void {
    this.#jobs.find((job) => job.id === jobId)?.log.push(line);
  }

  saveArtifact(name: string, zip: Uint8Array): void {
    const { world, dataDir } = this.#services;
    const id = world.ids.take("artifact");
    const file = join(dataDir, "artifacts", `${id}.zip`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, zip);
    for (const old of this.#artifacts()) {
      if (old.name === name) this.#repository.artifacts.delete(old.id);
    }
    this.#repository.artifacts.set(id, {
      id,
      runId: this.#run.id,
      name,
      size: zip.byteLength,
      digest: createHash("sha256").update(zip).digest("hex"),
      createdAt: world.now(),
      file,
    });
  }

  loadArtifact(name: string): Uint8Array | null {
    const artifact = this.#artifacts().find((candidate) => candidate.name === name);
    return artifact === undefined ? null : readFileSync(artifact.file);
  }

  listArtifacts(): readonly string[] {
    return this.#artifacts().map((artifact) => artifact.name);
  }

  /** Ends jobs the runner left open and waits until everything is announced. */
  async finish(conclusion: Conclusion): Promise<void> {
    for (const job of this.#jobs) this.jobCompleted(job.id, conclusion);
    await this.#announcements;
  }

  #artifacts() {
    return [...this.#repository.artifacts.values()].filter((artifact) => artifact.runId === this.#run.id);
  }

  #announce(job: Job, action: "created" | "completed"): void {
    const check = this.#repository.checkRuns.get(job.id);
    emitJob(this.#services, this.#repository, this.#run, job, action === "created" ? "in_progress" : "completed");
    if (check === undefined) return;
    const event = { action, sender: this.#run.actor };
    // One after the other: a job's end is not told before its beginning.
    this.#announcements = this.#announcements.then(() => emitCheckRun(this.#services, this.#repository, check, event));
  }
}
