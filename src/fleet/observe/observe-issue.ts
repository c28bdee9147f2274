import { createHash } from "node:crypto";
import { LABEL } from "../../contracts/names.ts";
import { sanitiseIntent } from "../../contracts/sanitise.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunState } from "../../engine/state.ts";
import type { Issue } from "../../github/port.ts";
import { mayCommand } from "../may-command.ts";
import type { RunSession } from "../run-session.ts";

/**
 * Whether the issue is still open, labeled and worded as when the run began.
 * @param editor who edited it, when a webhook said so; GitHub's API does not.
 */
export async function observeIssue(session: RunSession, editor: string | null): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  if (state.merged !== null || state.cancelled !== null || state.ended !== null || state.answerText !== null) return [];
  const issue = await repository.loadIssue(state.run.issue);
  // A replica that lags behind may not know of a young issue yet.
  if (issue === null) return fleet.clock.now() < state.startedAt + fleet.timing.staleReadMs ? [] : interfere(state);
  return [...observePresence(state, issue), ...(await observeText(session, issue, editor))];
}

function observePresence(state: RunState, issue: Issue): readonly Fact[] {
  const labeled = issue.labels.some((label) => label.toLowerCase() === LABEL);
  const what = issue.state === "closed" ? "closed" : labeled ? null : "unlabeled";
  if (what === null) return state.interference === null ? [] : [{ kind: "IssueRestored", n: state.interferences }];
  return interfere(state, what);
}

/** Deleted or transferred it is as good as closed: nobody sees the run there any more, and it may come back. */
function interfere(state: RunState, what: "closed" | "unlabeled" = "closed"): readonly Fact[] {
  return state.interference === null ? [{ kind: "IssueInterfered", n: state.interferences + 1, what }] : [];
}

async function observeText(session: RunSession, issue: Issue, editor: string | null): Promise<readonly Fact[]> {
  const { state } = session;
  const text = sanitiseIntent(issue.title, issue.body);
  const hash = createHash("sha256").update(text).digest("hex");
  if (text === state.run.intent) return [];
  const known = state.intentEdits.filter((edit) => edit.hash === hash);
  // Who edited it may be told only after the text was seen: a writer's edit asks people, also then.
  if (known.some((edit) => edit.writer) || (known.length > 0 && editor === null)) return [];
  const writer = editor === null ? await isLeftToWriters(session, issue) : await isWriter(session, editor);
  if (known.length > 0 && !writer) return [];
  return [{ kind: "IntentEdited", hash, by: editor ?? "somebody", writer }];
}

/**
 * Beside its author only who has write access can edit an issue (github.com/rust-lang/release-team/issues/5): where the
 * author has it, too, whoever edited it could. Apps can as well: those tell by a webhook, and where that comes too late
 * people are asked once too often.
 */
async function isLeftToWriters(session: RunSession, { author }: Issue): Promise<boolean> {
  return !author.bot && (await isWriter(session, author.login));
}

async function isWriter({ repository }: RunSession, login: string): Promise<boolean> {
  return !login.endsWith("[bot]") && mayCommand(await repository.loadRole(login));
}
