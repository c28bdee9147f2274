import { readCommit } from "../git/commit-object.ts";
import { serializeCheckRun, serializeCheckSuite, summariseSuite } from "../serialize/serialize-check.ts";
import { serializeSimpleCommit } from "../serialize/serialize-run.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { CheckRun, CheckSuite } from "../state/check.ts";
import type { Repository } from "../state/repository.ts";
import type { Schema } from "../view.ts";
import { emitEvent } from "../webhooks/emit-event.ts";

export interface SuiteParts {
  readonly appId: number;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly before: string | null;
  readonly runId: number | null;
  readonly countsOnPulls: boolean;
}

export function createSuite(services: Services, repository: Repository, parts: SuiteParts): CheckSuite {
  const at = services.world.now();
  const suite: CheckSuite = {
    id: services.world.ids.take("checkSuite"),
    ...parts,
    createdAt: at,
    updatedAt: at,
  };
  repository.checkSuites.set(suite.id, suite);
  return suite;
}

/** The suite an App has on a commit, apart from those of workflow runs. */
export function findSuiteOf(repository: Repository, appId: number, headSha: string): CheckSuite | null {
  for (const suite of repository.checkSuites.values()) {
    if (suite.appId === appId && suite.headSha === headSha && suite.runId === null) return suite;
  }
  return null;
}

/** An App has one suite per commit. */
export function ensureSuite(
  services: Services,
  repository: Repository,
  parts: Omit<SuiteParts, "runId" | "countsOnPulls">,
): CheckSuite {
  const found = findSuiteOf(repository, parts.appId, parts.headSha);
  return found ?? createSuite(services, repository, { ...parts, runId: null, countsOnPulls: true });
}

async function loadHeadCommit(repository: Repository, sha: string): Promise<Schema<"simple-commit">> {
  const commit = await readCommit(repository.git, sha);
  if (commit === null) throw new Error(`commit ${sha} is gone`);
  return serializeSimpleCommit(commit);
}

/** The suite as the API shows it. */
export async function loadCheckSuite(
  services: Services,
  repository: Repository,
  suite: CheckSuite,
): Promise<Schema<"check-suite">> {
  return serializeCheckSuite(services, repository, suite, await loadHeadCommit(repository, suite.headSha));
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_suite: `requested` and
 * `rerequested` go to the App that owns the suite, `completed` to every subscribed App.
 */
export async function emitSuite(
  services: Services,
  repository: Repository,
  suite: CheckSuite,
  event: { readonly action: "requested" | "rerequested" | "completed"; readonly sender: Account },
): Promise<void> {
  if (!services.webhooks.subscribed("check_suite")) return;
  if (event.action !== "completed" && suite.appId !== services.world.app.id) return;
  emitEvent(services, repository, {
    event: "check_suite",
    action: event.action,
    sender: event.sender,
    payload: { check_suite: await loadCheckSuite(services, repository, suite) },
  });
}

export type CheckRunAction = "created" | "completed" | "rerequested" | "requested_action";

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run, with the same split of receivers. */
export async function emitCheckRun(
  services: Services,
  repository: Repository,
  run: CheckRun,
  event: { readonly action: CheckRunAction; readonly sender: Account; readonly requestedAction?: string },
): Promise<void> {
  if (!services.webhooks.subscribed("check_run")) return;
  const forOwner = event.action === "rerequested" || event.action === "requested_action";
  if (forOwner && run.appId !== services.world.app.id) return;
  const suite = repository.checkSuites.get(run.suiteId);
  const check = serializeCheckRun(services, repository, run);
  emitEvent(services, repository, {
    event: "check_run",
    action: event.action,
    sender: event.sender,
    payload: {
      check_run:
        suite === undefined ? check : { ...check, check_suite: await loadCheckSuite(services, repository, suite) },
      ...(event.requestedAction === undefined ? {} : { requested_action: { identifier: event.requestedAction } }),
    },
  });
}

/** Tells the world what has become of a check, and of its suite when that was the last one. */
export async function announceCheck(
  services: Services,
  repository: Repository,
  run: CheckRun,
  event: { readonly created: CheckRun["status"] | null; readonly sender: Account },
): Promise<void> {
  if (event.created !== null)
    await emitCheckRun(services, repository, run, { action: "created", sender: event.sender });
  if (run.status !== "completed") return;
  if (event.created === null) {
    await emitCheckRun(services, repository, run, { action: "completed", sender: event.sender });
  }
  const suite = repository.checkSuites.get(run.suiteId);
  if (suite !== undefined && suite.runId === null && summariseSuite(repository, suite).status === "completed") {
    await emitSuite(services, repository, suite, { action: "completed", sender: event.sender });
  }
}
