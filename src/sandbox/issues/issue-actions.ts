import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Issue, Label } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";
import { emitPull } from "../pulls/emit-pull.ts";
import { emitIssue } from "./emit-issue.ts";
import { serializeLabel } from "../serialize/serialize-issue.ts";
import { recordEvent } from "./record-event.ts";

const DEFAULT_COLOR = "ededed";

/** The label of that name, made if it does not exist (as putting an unknown label on an issue does). */
function ensureLabel(services: Services, repository: Repository, name: string): Label {
  const known = repository.labels.get(name.toLowerCase());
  if (known !== undefined) return known;
  const label: Label = { id: services.world.ids.take("label"), name, color: DEFAULT_COLOR, description: null };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

/** Tells the App about an issue's or a pull request's change, each by its own event. */
export async function announceIssue(
  services: Services,
  repository: Repository,
  issue: Issue,
  event: {
    readonly action: string;
    readonly sender: Account;
    readonly label?: Label;
    readonly changes?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const pull = repository.pulls.get(issue.number);
  if (pull === undefined) {
    emitIssue(services, repository, issue, event);
    return;
  }
  const { action, sender, label, changes } = event;
  await emitPull(services, repository, pull, {
    action,
    sender,
    extra: {
      ...(label === undefined ? {} : { label: serializeLabel(services.urls, repository, label) }),
      ...(changes === undefined ? {} : { changes }),
    },
  });
}

/** Puts labels on; each new one is its own event. */
export async function addLabels(
  services: Services,
  repository: Repository,
  issue: Issue,
  change: { readonly names: readonly string[]; readonly sender: Account },
): Promise<void> {
  for (const name of change.names) {
    const label = ensureLabel(services, repository, name);
    if (issue.labels.includes(label.name.toLowerCase())) continue;
    issue.labels.push(label.name.toLowerCase());
    issue.updatedAt = services.world.now();
    recordEvent(services, repository, issue.number, { actor: change.sender, detail: { event: "labeled", label } });
    await announceIssue(services, repository, issue, { action: "labeled", sender: change.sender, label });
  }
}

/** Takes one label off; false when the issue does not carry it. */
export async function removeLabel(
  services: Services,
  repository: Repository,
  issue: Issue,
  change: { readonly name: string; readonly sender: Account },
): Promise<boolean> {
  const key = change.name.toLowerCase();
  const label = repository.labels.get(key);
  if (label === undefined || !issue.labels.includes(key)) return false;
  issue.labels = issue.labels.filter((name) => name !== key);
  issue.updatedAt = services.world.now();
  recordEvent(services, repository, issue.number, { actor: change.sender, detail: { event: "unlabeled", label } });
  await announceIssue(services, repository, issue, { action: "unlabeled", sender: change.sender, label });
  return true;
}

/** Records a new issue; announcing it is the caller's part. */
export function recordIssue(
  services: Services,
  repository: Repository,
  parts: Pick<Issue, "author" | "appId" | "title" | "body">,
): Issue {
  const at = services.world.now();
  const issue: Issue = {
    ...parts,
    id: services.world.ids.take("issue"),
    number: repository.nextNumber,
    state: "open",
    stateReason: null,
    labels: [],
    assignees: [],
    subIssues: [],
    blockedBy: [],
    locked: false,
    lockReason: null,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedBy: null,
  };
  repository.nextNumber += 1;
  repository.issues.set(issue.number, issue);
  return issue;
}
