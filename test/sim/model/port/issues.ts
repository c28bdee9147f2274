import { GitHubFailure } from "../../../../src/contracts/errors.ts";
import type { Comment, RepositoryPort } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { formatUrl, type ModelApp } from "../identities.ts";
import { changeIssue, createComment, findChange } from "../issues.ts";
import { notFound } from "../not-found.ts";
import type { ModelComment } from "../things.ts";
import type { Lag } from "./lag.ts";

type Issues = Pick<
  RepositoryPort,
  "loadIssue" | "loadLabeledIssues" | "loadLabeling" | "loadComments" | "createComment" | "updateComment" | "closeIssue"
>;

export function createIssues(model: GitHubModel, lag: Lag, app: ModelApp): Issues {
  const since = (method: string): number => model.time.now() - lag(method);
  return {
    async loadIssue(number) {
      const issue = model.issues.get(number);
      const at = since("loadIssue");
      const state = issue?.timeline.at(at);
      if (issue === undefined || state === undefined) return null;
      const updatedAt = findChange(model, issue, at);
      return {
        number,
        ...state,
        author: issue.author,
        pullRequest: false,
        updatedAt,
        url: formatUrl("issues", number),
      };
    },
    async loadLabeledIssues(label, from = 0) {
      const at = model.time.now() - lag("loadLabeledIssues");
      return [...model.issues.values()].flatMap((issue) => {
        const state = issue.timeline.at(at);
        const shown = state?.state === "open" && state.labels.includes(label.toLowerCase());
        return shown && findChange(model, issue, at) >= Math.floor(from / 1000) * 1000 ? [issue.number] : [];
      });
    },
    async loadLabeling(number, label) {
      const at = model.time.now() - lag("loadLabeling");
      const found = model.issues
        .get(number)
        ?.labelings.findLast((one) => one.at <= at && one.label === label.toLowerCase());
      // GitHub tells whole seconds.
      return found === undefined ? null : { by: found.by, at: Math.floor(found.at / 1000) * 1000 };
    },
    async loadComments(number, from = 0) {
      const at = since("loadComments");
      const found: Comment[] = [];
      for (const comment of model.comments.values()) {
        if (comment.issue !== number || comment.createdAt > at || comment.timeline.changedAt < from) continue;
        found.push(viewComment(comment, at, app));
      }
      return found.sort((a, b) => a.id - b.id);
    },
    async createComment(number, body) {
      // People with write access may still write; an App may not (github.com/semantic-release/github/issues/221).
      if (model.issues.get(number)?.timeline.now.locked === true)
        throw new GitHubFailure("terminal", "The conversation is locked. GitHub says: locked", { status: 403 });
      const { id } = createComment(model, number, app.actor, body);
      return { id, url: formatUrl("issues", `${number}#issuecomment-${id}`) };
    },
    async updateComment(id, body) {
      const comment = model.comments.get(id);
      if (comment === undefined) throw notFound(`comment ${id}`);
      comment.timeline.set(model.time.now(), body);
    },
    async closeIssue(number) {
      if (model.issues.get(number)?.timeline.now.state !== "closed")
        changeIssue(model, number, app.actor, "closed", { state: "closed" });
    },
  };
}

function viewComment(comment: ModelComment, at: number, app: ModelApp): Comment {
  const { id, author, createdAt, issue } = comment;
  const body = comment.timeline.at(at) ?? comment.timeline.now;
  return {
    id,
    body,
    author,
    own: author.login === app.actor.login,
    createdAt,
    edited: comment.timeline.changedAt > createdAt,
    url: formatUrl("issues", `${issue}#issuecomment-${id}`),
  };
}
