import { html } from "hono/html";
import type { Services } from "../services.ts";
import type { IssueEventDetail } from "../state/issue.ts";
import type { Review } from "../state/pull.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { type Html, renderAccount, renderTime } from "./layout.ts";
import { renderBody } from "./markdown-box.ts";
import { renderThread } from "./diff-view.ts";

function describeEvent(repository: Repository, detail: IssueEventDetail): Html {
  const root = `/${formatFullName(repository)}`;
  switch (detail.event) {
    case "labeled":
      return html`added the <span class="label">${detail.label.name}</span> label`;
    case "unlabeled":
      return html`removed the <span class="label">${detail.label.name}</span> label`;
    case "closed":
      return html`closed this${detail.reason === null ? "" : ` as ${detail.reason.replace("_", " ")}`}`;
    case "reopened":
      return html`reopened this`;
    case "locked":
      return html`locked this conversation`;
    case "unlocked":
      return html`unlocked this conversation`;
    case "ready_for_review":
      return html`marked this as ready for review`;
    case "convert_to_draft":
      return html`marked this as a draft`;
    case "merged":
      return html`merged commit
        <a class="mono" href="${root}/commit/${detail.commitId}">${detail.commitId.slice(0, 7)}</a> into
        <code>${detail.baseRef}</code>`;
    case "head_ref_deleted":
      return html`deleted the branch <code>${detail.ref}</code>`;
    case "base_ref_deleted":
      return html`deleted the base branch <code>${detail.ref}</code>`;
    case "base_ref_changed":
      return html`changed the base branch from <code>${detail.from}</code> to <code>${detail.to}</code>`;
    case "renamed":
      return html`changed the title from <del>${detail.from}</del> to <b>${detail.to}</b>`;
    case "review_dismissed":
      return html`dismissed ${detail.author}'s review: ${detail.message}`;
    case "pushed":
      return html`pushed <a class="mono" href="${root}/commit/${detail.sha}">${detail.sha.slice(0, 7)}</a> to
        <code>${detail.ref}</code>`;
  }
}

const REVIEW_WORDS = {
  PENDING: "is reviewing",
  APPROVED: "approved these changes",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "reviewed",
  DISMISSED: "reviewed (dismissed)",
} as const;

function renderReview(services: Services, repository: Repository, review: Review): Html {
  const comments = [...repository.reviewComments.values()].filter((comment) => comment.reviewId === review.id);
  return html`<div class="box" id="pullrequestreview-${review.id}">
    <div class="head">
      ${renderAccount(review.author)} ${REVIEW_WORDS[review.state]} at
      <code>${review.commitId.slice(0, 7)}</code> · ${renderTime(review.submittedAt ?? 0)}
    </div>
    ${review.body === "" ? "" : html`<div class="body">${renderBody(services, repository, review.body)}</div>`}
    ${comments.map((comment) => html`<div class="row">${renderThread(services, repository, comment)}</div>`)}
  </div>`;
}

/** Comments, reviews and events of an issue or pull request in the order they came. */
export function renderTimeline(services: Services, repository: Repository, number: number): readonly Html[] {
  const comments = [...repository.comments.values()].filter((comment) => comment.issueNumber === number);
  const reviews = [...repository.reviews.values()].filter(
    (review) => review.pullNumber === number && review.submittedAt !== null,
  );
  const events = repository.events.filter((event) => event.issueNumber === number);
  const entries: { readonly at: number; readonly content: Html }[] = [
    ...comments.map((comment) => ({
      at: comment.createdAt,
      content: html`<div class="box" id="issuecomment-${comment.id}">
        <div class="head">
          ${renderAccount(comment.author)} commented ${renderTime(comment.createdAt)}
          ${comment.updatedAt > comment.createdAt ? html`· edited ${renderTime(comment.updatedAt)}` : ""}
        </div>
        <div class="body">${renderBody(services, repository, comment.body)}</div>
      </div>`,
    })),
    ...reviews.map((review) => ({
      at: review.submittedAt ?? 0,
      content: renderReview(services, repository, review),
    })),
    ...events.map((event) => ({
      at: event.at,
      content: html`<div class="event">
        ${renderAccount(event.actor)} ${describeEvent(repository, event.detail)} · ${renderTime(event.at)}
      </div>`,
    })),
  ];
  return entries.toSorted((a, b) => a.at - b.at).map(({ content }) => content);
}
