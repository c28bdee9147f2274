/** The port over the model: what GitHub answers, without any fault of its own. */
import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import { RESULT_ARTIFACT } from "../../../src/contracts/job.ts";
import { formatRunName, parseRunName, WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import type { JobId } from "../../../src/contracts/ids.ts";
import type { Actor, Comment, Pull, RepositoryPort, Review, WorkflowRun } from "../../../src/github/port.ts";
import type { TrackerPort } from "../../../src/github/tracker-port.ts";
import {
  APP,
  APP_ID,
  formatUrl,
  type GitHubModel,
  type ModelComment,
  type ModelIssue,
  type ModelPull,
  type ModelRun,
  notFound,
  REPOSITORY,
} from "./github-model.ts";

/** In whose name the port acts. */
export interface ModelApp {
  readonly actor: Actor;
  readonly id: number;
}

/** How old the replica is that answers a read, in milliseconds. */
export type Lag = (method: string) => number;

/** No scenario shows its chunks in a tracker. */
const refuse = (): Promise<never> => Promise.reject(new Error("the model has no tracker"));
const NO_TRACKER: TrackerPort = {
  loadSubIssues: refuse,
  loadOwnIssues: refuse,
  attachSubIssue: refuse,
  createSubIssue: refuse,
  updateSubIssue: refuse,
  loadBlockers: refuse,
  addBlocker: refuse,
  removeBlocker: refuse,
};

export function createModelPort(
  model: GitHubModel,
  lag: Lag,
  app: ModelApp = { actor: APP, id: APP_ID },
): RepositoryPort {
  return {
    ref: REPOSITORY,
    tracker: NO_TRACKER,
    ...createReads(model, lag, app),
    ...createLabelReads(model, lag),
    ...createGitReads(model, lag),
    ...createGitWrites(model, lag),
    ...createVisibleEffects(model, app),
    ...createActions(model, lag),
  };
}

type ReadMethods =
  | "loadRepository"
  | "loadRole"
  | "loadIssue"
  | "loadComments"
  | "loadReviews"
  | "loadPull"
  | "loadPullsByHead"
  | "loadOpenPulls"
  | "loadCheckRuns"
  | "loadStatuses"
  | "loadBranchRules"
  | "loadRequiredChecks"
  | "loadSharedFile";

function createReads(model: GitHubModel, lag: Lag, app: ModelApp): Pick<RepositoryPort, ReadMethods> {
  const since = (method: string): number => model.time.now() - lag(method);
  const listPulls = (at: number, test: (pull: Pull) => boolean): readonly Pull[] =>
    [...model.pulls.values()]
      .flatMap((pull) => {
        const seen = viewPull(model, pull, at);
        return seen !== null && test(seen) ? [seen] : [];
      })
      .reverse();
  return {
    async loadRepository() {
      return {
        id: REPOSITORY.id,
        owner: REPOSITORY.owner,
        name: REPOSITORY.name,
        url: formatUrl(),
        defaultBranch: model.defaultBranch,
        archived: false,
        private: false,
      };
    },
    async loadRole(login) {
      return model.roles.get(login.toLowerCase()) ?? "none";
    },
    async loadIssue(number) {
      const issue = model.issues.get(number);
      const state = issue?.timeline.at(since("loadIssue"));
      if (issue === undefined || state === undefined) return null;
      return { number, ...state, author: issue.author, pullRequest: false, url: formatUrl("issues", number) };
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
    async loadReviews(number) {
      const at = since("loadReviews");
      return model.reviews
        .filter((review) => review.pull === number && review.at <= at)
        .map((review): Review => ({
          id: review.id,
          body: review.body,
          author: review.author,
          own: review.author.login === app.actor.login,
          state: review.timeline.at(at) ?? review.timeline.now,
          commit: review.commit,
          submittedAt: review.at,
          url: formatUrl("pull", `${number}#pullrequestreview-${review.id}`),
        }));
    },
    async loadPull(number) {
      const pull = model.pulls.get(number);
      const seen = pull === undefined ? null : viewPull(model, pull, since("loadPull"));
      if (seen === null) throw notFound(`pull request ${number}`);
      return seen;
    },
    async loadPullsByHead(branch) {
      return listPulls(since("loadPullsByHead"), (pull) => pull.head.ref === branch);
    },
    async loadOpenPulls() {
      return listPulls(since("loadOpenPulls"), (pull) => pull.state === "open");
    },
    async loadCheckRuns(sha) {
      const at = since("loadCheckRuns");
      return [...model.checks.values()]
        .flatMap((check) => {
          const state = check.sha === sha ? check.timeline.at(at) : undefined;
          if (state === undefined) return [];
          const completedAt = state.status === "completed" ? check.timeline.changedAt : null;
          const { name, externalId, status, conclusion } = state;
          const url = formatUrl("runs", check.id);
          return [
            {
              id: check.id,
              name,
              appId: check.appId,
              externalId,
              status,
              conclusion,
              startedAt: check.createdAt,
              completedAt,
              url,
            },
          ];
        })
        .sort((a, b) => b.id - a.id);
    },
    async loadStatuses(sha) {
      const at = since("loadStatuses");
      return model.statuses
        .filter((status) => status.sha === sha && status.at <= at)
        .map(({ context, state, at: createdAt }) => ({ context, state, createdAt, url: null }))
        .reverse();
    },
    async loadBranchRules() {
      return [];
    },
    async loadRequiredChecks() {
      return [];
    },
    async loadSharedFile() {
      return null;
    },
  };
}

function createLabelReads(model: GitHubModel, lag: Lag): Pick<RepositoryPort, "loadLabeledIssues" | "loadLabeling"> {
  /** Comments, too, count as changes of an issue. */
  const changedAt = (issue: ModelIssue): number =>
    [...model.comments.values()].reduce(
      (latest, comment) => (comment.issue === issue.number ? Math.max(latest, comment.createdAt) : latest),
      issue.timeline.changedAt,
    );
  return {
    async loadLabeledIssues(label, from = 0) {
      const at = model.time.now() - lag("loadLabeledIssues");
      return [...model.issues.values()].flatMap((issue) => {
        const state = issue.timeline.at(at);
        const shown = state?.state === "open" && state.labels.includes(label.toLowerCase());
        return shown && changedAt(issue) >= from ? [issue.number] : [];
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
    url: formatUrl("issues", `${issue}#issuecomment-${id}`),
  };
}

function viewPull(model: GitHubModel, pull: ModelPull, at: number): Pull | null {
  const state = pull.timeline.at(at);
  if (state === undefined) return null;
  const base = model.refs.get(pull.base)?.at(at) ?? model.head(pull.base) ?? state.headSha;
  return {
    number: pull.number,
    nodeId: pull.nodeId,
    state: state.state,
    merged: state.merged,
    mergeCommit: state.mergeCommit,
    draft: state.draft,
    mergeable: null,
    head: { ref: pull.head, sha: state.headSha },
    base: { ref: pull.base, sha: base },
    title: state.title,
    body: state.body,
    url: formatUrl("pull", pull.number),
  };
}

type GitReadMethods =
  | "loadBranch"
  | "loadBranches"
  | "loadCommit"
  | "loadTree"
  | "loadFile"
  | "loadBlob"
  | "loadComparison";

function createGitReads(model: GitHubModel, lag: Lag): Pick<RepositoryPort, GitReadMethods> {
  const { git } = model;
  return {
    async loadBranch(branch) {
      return model.refs.get(branch)?.at(model.time.now() - lag("loadBranch")) ?? null;
    },
    async loadBranches(prefix) {
      const at = model.time.now() - lag("loadBranches");
      return [...model.refs].flatMap(([name, ref]) =>
        name.startsWith(prefix) && (ref.at(at) ?? null) !== null ? [name] : [],
      );
    },
    async loadCommit(sha) {
      const commit = git.findCommit(sha);
      if (commit === undefined) throw notFound(`commit ${sha}`);
      return { sha, tree: commit.tree, parents: commit.parents, message: commit.message };
    },
    async loadTree(sha) {
      const tree = git.findTree(sha);
      if (tree === undefined) throw notFound(`tree ${sha}`);
      return [...tree].map(([path, file]) => ({ path, mode: file.mode, type: "blob" as const, sha: file.sha }));
    },
    async loadFile(path, ref) {
      const sha = git.findCommit(ref as Sha) === undefined ? (model.refs.get(ref)?.now ?? null) : (ref as Sha);
      const file = sha === null ? undefined : git.files(sha).get(path);
      const text = file === undefined ? undefined : git.findBlob(file.sha);
      return file === undefined || text === undefined ? null : { sha: file.sha, text };
    },
    async loadBlob(sha) {
      const text = git.findBlob(sha);
      if (text === undefined) throw notFound(`blob ${sha}`);
      return new Uint8Array(Buffer.from(text, "utf8"));
    },
    async loadComparison(base, head) {
      if (git.findCommit(base) === undefined || git.findCommit(head) === undefined) throw notFound("a commit");
      return git.compare(base, head);
    },
  };
}

type GitWriteMethods =
  | "createBlob"
  | "createTree"
  | "createCommit"
  | "createBranch"
  | "updateBranch"
  | "mergeIntoBranch"
  | "deleteBranch";

function createGitWrites(model: GitHubModel, lag: Lag): Pick<RepositoryPort, GitWriteMethods> {
  const { git } = model;
  return {
    async createBlob(content) {
      return git.putBlob(typeof content === "string" ? content : Buffer.from(content).toString("utf8"));
    },
    async createTree(base, changes) {
      const tree = git.changeTree(base, changes);
      if (tree === null)
        throw new GitHubFailure("conflict", "It is gone. GitHub says: tree sha does not exist", { status: 422 });
      return tree;
    },
    async createCommit(commit) {
      if (git.findTree(commit.tree) === undefined) throw notFound("the tree");
      for (const parent of commit.parents) if (git.findCommit(parent) === undefined) throw notFound("a parent");
      return git.putCommit(commit, model.time.now());
    },
    async createBranch(branch, sha) {
      if (git.findCommit(sha) === undefined) throw notFound("the commit");
      if (model.head(branch) === null) {
        refuseWorkflowChange(model, null, sha);
        model.setRef(branch, sha, APP);
        return;
      }
      // As the real port does it: what is there already is read, and a replica may answer.
      if (model.refs.get(branch)?.at(model.time.now() - lag("loadBranch")) === sha) return;
      throw new GitHubFailure("conflict", "The branch exists already. GitHub says: Reference already exists", {
        status: 422,
      });
    },
    async updateBranch(branch, sha) {
      const head = model.head(branch);
      if (head === null)
        throw new GitHubFailure("conflict", "It is gone. GitHub says: Reference does not exist", { status: 422 });
      if (git.findCommit(sha) === undefined) throw notFound("the commit");
      if (!git.isAncestor(head, sha))
        throw new GitHubFailure("conflict", "The branch has moved. GitHub says: Update is not a fast forward", {
          status: 422,
        });
      if (model.protectedBranches.has(branch))
        throw new GitHubFailure(
          "misconfigured",
          "A rule or branch protection forbids it. GitHub says: protected branch",
          { status: 422 },
        );
      refuseWorkflowChange(model, head, sha);
      if (head !== sha) model.setRef(branch, sha, APP);
    },
    async mergeIntoBranch(branch, from, message) {
      const head = model.head(branch);
      if (head === null) throw notFound("the branch");
      if (git.isAncestor(from, head)) return null;
      const merged = git.merge(head, from);
      if ("conflicts" in merged)
        throw new GitHubFailure("conflict", "It cannot be merged as it stands. GitHub says: Merge conflict", {
          status: 409,
        });
      const commit = git.putCommit({ tree: merged.tree, parents: [head, from], message }, model.time.now());
      model.setRef(branch, commit, APP);
      return commit;
    },
    async deleteBranch(branch) {
      if (model.head(branch) !== null) model.setRef(branch, null, APP);
    },
  };
}

/** An App without the workflows permission brings no workflow file that no branch has yet. */
function refuseWorkflowChange(model: GitHubModel, head: Sha | null, to: Sha): void {
  const known = new Set<string>();
  const branches = head === null ? [] : [head];
  for (const timeline of model.refs.values()) if (timeline.now !== null) branches.push(timeline.now);
  for (const commit of new Set(branches)) for (const key of listWorkflows(model, commit)) known.add(key);
  for (const key of listWorkflows(model, to))
    if (!known.has(key))
      throw new GitHubFailure(
        "misconfigured",
        "Taskfleet never changes workflow files. GitHub says: without `workflows` permission",
        { status: 403 },
      );
}

function listWorkflows(model: GitHubModel, commit: Sha): readonly string[] {
  const keys: string[] = [];
  for (const [path, file] of model.git.files(commit))
    if (path.startsWith(".github/workflows/")) keys.push(`${path} ${file.sha}`);
  return keys;
}

type VisibleMethods =
  | "createComment"
  | "updateComment"
  | "closeIssue"
  | "createPull"
  | "updatePull"
  | "markReady"
  | "createReview"
  | "dismissReview"
  | "createCheck"
  | "updateCheck"
  | "mergePull";

const REVIEW_STATES = { COMMENT: "COMMENTED", APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED" } as const;

function createVisibleEffects(model: GitHubModel, app: ModelApp): Pick<RepositoryPort, VisibleMethods> {
  return {
    async createComment(number, body) {
      // People with write access may still write; an App may not (github.com/semantic-release/github/issues/221).
      if (model.issues.get(number)?.timeline.now.locked === true)
        throw new GitHubFailure("terminal", "The conversation is locked. GitHub says: locked", { status: 403 });
      const { id } = model.createComment(number, app.actor, body);
      return { id, url: formatUrl("issues", `${number}#issuecomment-${id}`) };
    },
    async updateComment(id, body) {
      const comment = model.comments.get(id);
      if (comment === undefined) throw notFound(`comment ${id}`);
      comment.timeline.set(model.time.now(), body);
    },
    async closeIssue(number) {
      if (model.issues.get(number)?.timeline.now.state !== "closed")
        model.changeIssue(number, app.actor, "closed", { state: "closed" });
    },
    async createPull(pull) {
      const made = model.createPull(app.actor, pull);
      const seen = viewPull(model, made, model.time.now());
      if (seen === null) throw new Error("a pull request that was just made is seen");
      return seen;
    },
    async updatePull(number, change) {
      const pull = model.pulls.get(number);
      if (pull === undefined) throw notFound(`pull request ${number}`);
      const closes = change.state === "closed" && pull.timeline.now.state === "open";
      const { title, body } = change;
      model.changePull(number, app.actor, closes ? "closed" : "edited", {
        ...(title === undefined ? {} : { title }),
        ...(body === undefined ? {} : { body }),
        ...(closes ? { state: "closed" as const } : {}),
      });
    },
    async markReady(nodeId) {
      const pull = [...model.pulls.values()].find((entry) => entry.nodeId === nodeId);
      if (pull === undefined) throw notFound("the pull request");
      model.changePull(pull.number, app.actor, "ready_for_review", { draft: false });
    },
    async dismissReview(number, id) {
      model.dismissReview(number, id, app.actor);
    },
    async createReview(number, review) {
      const pull = model.pulls.get(number);
      if (pull === undefined) throw notFound(`pull request ${number}`);
      // docs.github.com: nobody approves a pull request of their own.
      if (review.event !== "COMMENT" && pull.author.login === app.actor.login)
        throw new GitHubFailure("terminal", "GitHub refuses (422): Can not approve your own pull request", {
          status: 422,
        });
      const { id } = model.createReview(number, app.actor, {
        body: review.body,
        state: REVIEW_STATES[review.event],
        commit: review.sha,
        comments: review.comments.length,
      });
      return { id, url: formatUrl("pull", `${number}#pullrequestreview-${id}`) };
    },
    async createCheck(check) {
      const { id } = model.createCheck(app.id, check);
      return { id, url: formatUrl("runs", id) };
    },
    async updateCheck(id, check) {
      const made = model.checks.get(id);
      if (made === undefined) throw notFound(`check run ${id}`);
      const { annotations: _, ...rest } = check;
      made.timeline.set(model.time.now(), { ...rest, conclusion: check.conclusion ?? null });
    },
    async mergePull(number, { sha, method, title, message }) {
      const pull = model.pulls.get(number);
      if (pull === undefined) throw notFound(`pull request ${number}`);
      if (pull.timeline.now.headSha !== sha)
        throw new GitHubFailure("conflict", "The branch has moved. GitHub says: Head branch was modified", {
          status: 409,
        });
      return model.mergePull(number, app.actor, { method, message: `${title}\n\n${message}` });
    },
  };
}

type ActionMethods =
  | "loadWorkflow"
  | "loadWorkflowRun"
  | "loadWorkflowRuns"
  | "loadRunsOfCommit"
  | "loadArtifact"
  | "dispatchWorkflow"
  | "cancelRun";

function createActions(model: GitHubModel, lag: Lag): Pick<RepositoryPort, ActionMethods> {
  const list = (at: number, test: (run: ModelRun) => boolean): readonly WorkflowRun[] =>
    [...model.runs.values()].flatMap((run) => {
      const seen = test(run) ? viewRun(run, at) : null;
      return seen === null ? [] : [seen];
    });
  return {
    async loadWorkflow(path) {
      const head = model.head(model.defaultBranch);
      return head !== null && model.git.files(head).has(path) ? { state: "active" } : null;
    },
    async loadWorkflowRun(id) {
      const run = model.runs.get(id);
      return run === undefined ? null : viewRun(run, model.time.now() - lag("loadWorkflowRun"));
    },
    async loadWorkflowRuns(job, since) {
      const at = model.time.now() - lag("loadWorkflowRuns");
      return list(at, (run) => run.path === WORKFLOW_PATH && run.createdAt >= since && parseRunName(run.title) === job);
    },
    async loadRunsOfCommit(sha) {
      return list(model.time.now() - lag("loadRunsOfCommit"), (run) => run.headSha === sha);
    },
    async loadArtifact(runId, name, _file, maxBytes) {
      const run = model.runs.get(runId);
      if (
        name !== RESULT_ARTIFACT ||
        run === undefined ||
        run.artifact === null ||
        run.artifact.at > model.time.now() - lag("loadArtifact")
      )
        return { outcome: "missing" };
      if (run.artifact.text.length > maxBytes) return { outcome: "refused", reason: "it is too large" };
      return { outcome: "found", text: run.artifact.text };
    },
    async dispatchWorkflow({ path, ref, inputs }) {
      const head = model.head(ref);
      if (head === null)
        throw new GitHubFailure("conflict", "It is gone. GitHub says: No ref found for it", { status: 422 });
      if (!model.git.files(head).has(path))
        throw new GitHubFailure(
          "misconfigured",
          "The workflow file on the default branch must be Taskfleet's own and enabled.",
          { status: 422 },
        );
      for (const name of ["role", "request", "job"])
        if (inputs[name] === undefined)
          throw new GitHubFailure(
            "misconfigured",
            `The workflow file must be Taskfleet's own. GitHub says: Required input '${name}' not provided`,
            { status: 422 },
          );
      const title = formatRunName(inputs["role"] ?? "", (inputs["job"] ?? "") as JobId);
      return model.createRun({ title, event: "workflow_dispatch", headSha: head, headBranch: ref, path, inputs }).id;
    },
    async cancelRun(id) {
      const run = model.runs.get(id);
      if (run === undefined || run.timeline.now.status === "completed") return;
      // Not at once: steps that must run go on for a moment.
      model.time.after(5_000, () => model.endRun(run, "cancelled", null));
    },
  };
}

function viewRun(run: ModelRun, at: number): WorkflowRun | null {
  const state = run.timeline.at(at);
  if (state === undefined) return null;
  const { id, title, event, headSha, headBranch, path, createdAt } = run;
  return { id, title, event, ...state, headSha, headBranch, path, url: formatUrl("actions/runs", id), createdAt };
}
