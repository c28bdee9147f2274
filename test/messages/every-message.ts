/** Every message of a story, by name: for what must hold for all of them. */
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { listDesiredChecks } from "../../src/engine/derive/surfaces.ts";
import { listTrackerItems } from "../../src/engine/derive/tracker-items.ts";
import { decide } from "../../src/engine/decide.ts";
import { renderAnswerComment } from "../../src/messages/answer-comment.ts";
import { renderApprovalComment } from "../../src/messages/approval-comment.ts";
import { renderCheck } from "../../src/messages/check.ts";
import { renderChunkPull } from "../../src/messages/chunk-pull.ts";
import { renderFeaturePull } from "../../src/messages/feature-pull.ts";
import { renderNeedComment } from "../../src/messages/need-comment.ts";
import { renderDirectAnswer, renderReport } from "../../src/messages/report-comment.ts";
import { renderReview } from "../../src/messages/review-body.ts";
import { renderStatusComment } from "../../src/messages/status-comment.ts";
import { renderTrackerIssue } from "../../src/messages/tracker-issue.ts";
import type { Story } from "../engine-stories/story.ts";

export function renderEverything(story: Story): ReadonlyMap<string, string> {
  const { state, now } = story;
  const texts = new Map<string, string>();
  const { waits } = decide(state, now, { staleReadMs: 120_000 });
  texts.set("status", renderStatusComment(state, waits, now));
  for (const { rev } of state.revisions) texts.set(`approval ${rev}`, renderApprovalComment(state, rev));
  for (const need of deriveNeeds(state, now)) texts.set(`need ${need.key}`, renderNeedComment(state, need));
  for (const { comment } of state.commands) texts.set(`answer ${comment}`, renderAnswerComment(state, comment, waits));
  texts.set("report", renderReport(state));
  if (state.answerText !== null) texts.set("direct answer", renderDirectAnswer(state));
  const feature = renderFeaturePull(state, now);
  texts.set("feature title", feature.title);
  texts.set("feature body", feature.body);
  for (const item of listTrackerItems(state)) {
    const issue = renderTrackerIssue(state, item);
    texts.set(`tracker title ${item.chunk}`, issue.title);
    texts.set(`tracker body ${item.chunk}`, issue.body);
  }
  for (const chunk of state.chunks.rows) {
    for (const { n } of chunk.attempts) {
      const pull = renderChunkPull(state, chunk.id, n);
      texts.set(`pull title ${chunk.id} ${n}`, pull.title);
      texts.set(`pull body ${chunk.id} ${n}`, pull.body);
      const review = renderReview(state, chunk.id, n, new Map([[`src/${chunk.id}.js`, new Set([7, 8])]]));
      if (review.body !== "") texts.set(`review ${chunk.id} ${n}`, review.body);
      for (const [index, comment] of review.comments.entries())
        texts.set(`inline ${chunk.id} ${n} ${index}`, comment.body);
    }
  }
  for (const { subject, externalId } of listDesiredChecks(state, now)) {
    const check = renderCheck(state, subject, now, waits);
    texts.set(`check ${externalId} title`, check.title);
    texts.set(`check ${externalId} summary`, check.summary);
    if (check.text !== undefined) texts.set(`check ${externalId} text`, check.text);
  }
  return texts;
}
