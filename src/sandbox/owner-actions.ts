import { emitCheckRun } from "./checks/record-check.ts";
import type { CheckButton } from "./sandbox-options.ts";
import { serializeInstallation } from "./serialize/serialize-app.ts";
import { serializeAccount } from "./serialize/serialize-account.ts";
import type { Services } from "./services.ts";
import type { Repository } from "./state/repository.ts";
import { emitEvent } from "./webhooks/emit-event.ts";

// What people do on GitHub's own pages, where no API call of an App or a client is involved.

function findRepository(services: Services, fullName: string): Repository {
  const [owner = "", name = ""] = fullName.split("/");
  const repository = services.world.findRepository(owner, name);
  if (repository === null) throw new Error(`there is no repository ${fullName}`);
  return repository;
}

/** Renames a repository; its former name redirects. */
export function renameRepository(services: Services, fullName: string, name: string): void {
  const repository = findRepository(services, fullName);
  const from = repository.name;
  services.world.formerNames.set(fullName.toLowerCase(), repository.id);
  repository.name = name;
  emitEvent(services, repository, {
    event: "repository",
    action: "renamed",
    sender: repository.owner,
    payload: { changes: { repository: { name: { from } } } },
  });
}

/** Makes a repository read-only. */
export function archiveRepository(services: Services, fullName: string): void {
  const repository = findRepository(services, fullName);
  repository.archived = true;
  emitEvent(services, repository, { event: "repository", action: "archived", sender: repository.owner, payload: {} });
}

/** Makes an archived repository writable again. */
export function unarchiveRepository(services: Services, fullName: string): void {
  const repository = findRepository(services, fullName);
  repository.archived = false;
  emitEvent(services, repository, { event: "repository", action: "unarchived", sender: repository.owner, payload: {} });
}

/** Presses one of a check run's buttons, or "Re-run"; only the App that owns the check hears of it. */
export async function pressCheckButton(services: Services, button: CheckButton): Promise<void> {
  const repository = findRepository(services, button.repository);
  const run = repository.checkRuns.get(button.checkRunId);
  const sender = services.world.findAccount(button.by);
  if (run === undefined || sender === null) throw new Error("there is no such check run or person");
  if (button.press === "re-run") {
    await emitCheckRun(services, repository, run, { action: "rerequested", sender });
    return;
  }
  if (!run.actions.some(({ identifier }) => identifier === button.press)) {
    throw new Error(`the check run has no button ${button.press}`);
  }
  await emitCheckRun(services, repository, run, {
    action: "requested_action",
    sender,
    requestedAction: button.press,
  });
}

/** Suspends (a time) or resumes (null) an installation. */
export function changeSuspension(services: Services, installationId: number, suspendedAt: number | null): void {
  const installation = services.world.installations.get(installationId);
  if (installation?.account === undefined || installation.account === null) {
    throw new Error(`there is no installation ${installationId}`);
  }
  installation.suspendedAt = suspendedAt;
  const action = suspendedAt === null ? "unsuspend" : "suspend";
  services.webhooks.emit({
    event: "installation",
    action,
    repositoryId: null,
    installationId,
    payload: {
      action,
      installation: serializeInstallation(services, installation),
      sender: serializeAccount(services.urls, installation.account),
    },
  });
}
