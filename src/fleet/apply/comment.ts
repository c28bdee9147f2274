import { createHash } from "node:crypto";
import { GitHubFailure } from "../../contracts/errors.ts";
import { formatMarker } from "../../contracts/names.ts";
import type { CommentSubject } from "../../engine/action.ts";
import { decide } from "../../engine/decide.ts";
import { deriveNeeds } from "../../engine/derive/needs.ts";
import type { Fact } from "../../engine/fact.ts";
import { renderAnswerComment } from "../../messages/answer-comment.ts";
import { renderApprovalComment } from "../../messages/approval-comment.ts";
import { renderClosedComment } from "../../messages/closed-comment.ts";
import { renderNeedComment } from "../../messages/need-comment.ts";
import { renderDirectAnswer, renderReport } from "../../messages/report-comment.ts";
import { renderStatusComment } from "../../messages/status-comment.ts";
import { renderStrangerComment } from "../../messages/stranger-comment.ts";
import type { WorkOf } from "./work-of.ts";
import { findOwnComment } from "../post-once.ts";
import type { RunSession } from "../run-session.ts";

export async function applyComment(session: RunSession, action: WorkOf<"PostComment">): Promise<readonly Fact[]> {
  const { repository, state } = session;
  const marker = { run: state.run.run, key: action.marker };
  const render = (): string => `${renderComment(session, action.subject)}\n\n${formatMarker(marker)}`;
  try {
    const existing = action.probe ? await findOwnComment(repository, action.on, marker) : null;
    const { id, url } = existing ?? (await repository.createComment(action.on, render()));
    return [{ kind: "CommentPosted", effect: action.key, key: action.marker, id, url }];
  } catch (error) {
    throw await explainRefusal(session, action.on, error);
  }
}

/** What is young may not be known everywhere yet. An issue that was deleted or transferred takes no comment ever. */
async function explainRefusal(session: RunSession, on: number, error: unknown): Promise<unknown> {
  if (!(error instanceof GitHubFailure) || error.kind !== "conflict" || on !== session.state.run.issue) return error;
  if ((await session.repository.loadIssue(on)) !== null) return error;
  return new GitHubFailure("terminal", `The issue is gone. ${error.message}`, error.details);
}

/** Edits the status comment when its text has changed. */
export async function applyStatus(session: RunSession): Promise<readonly Fact[]> {
  const { repository, state } = session;
  const comment = state.comments["status"];
  if (comment === undefined) return [];
  const text = renderComment(session, { kind: "status" });
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const { shown } = state;
  const marker = { run: state.run.run, key: "status" };
  if (state.status?.hash !== hash)
    try {
      await repository.updateComment(comment.id, `${text}\n\n${formatMarker(marker)}`);
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.details.status !== 404) throw error;
      // Whoever deleted it wants it no more: the pull request shows the same. One that is merely young is there.
      if ((await findOwnComment(repository, state.run.issue, marker)) !== null) throw error;
    }
  return [{ kind: "StatusUpdated", hash, shown }];
}

function renderComment(session: RunSession, subject: CommentSubject): string {
  const { state, fleet } = session;
  const now = fleet.clock.now();
  const listWaits = () => decide(state, now, fleet.timing).waits;
  switch (subject.kind) {
    case "status":
      return renderStatusComment(state, listWaits(), now);
    case "approval":
      return renderApprovalComment(state, subject.rev);
    case "answer": {
      const command = state.commands.find((entry) => entry.key === subject.command);
      return renderAnswerComment(state, command?.comment ?? 0, listWaits());
    }
    case "need": {
      const need = deriveNeeds(state, now).find((entry) => entry.key === subject.need);
      if (need === undefined) throw new Error(`the need ${subject.need} is gone`);
      return renderNeedComment(state, need);
    }
    case "stranger":
      return renderStrangerComment(subject.login, "command");
    case "closed":
      return renderClosedComment(subject);
    case "direct-answer":
      return renderDirectAnswer(state);
    case "report":
      return renderReport(state);
  }
}
