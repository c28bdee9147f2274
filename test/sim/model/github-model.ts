/** The truth: one repository on GitHub, its people, and everything that ever happened there. */
import { hash } from "node:crypto";
import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import type {
  Actor,
  CheckOutput,
  RepositoryRef,
  RepositoryRole,
  Review,
  WorkflowRun,
} from "../../../src/github/port.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { GitModel } from "./git-model.ts";
import { Timeline } from "./timeline.ts";

export interface IssueState {
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly locked: boolean;
  readonly labels: readonly string[];
}
export interface ModelIssue {
  readonly number: number;
  readonly author: Actor;
  readonly timeline: Timeline<IssueState>;
  /** Every label ever set on it, oldest first. */
  readonly labelings: Array<{ readonly by: Actor; readonly at: number; readonly label: string }>;
}
export interface PullState {
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly mergeCommit: Sha | null;
  readonly draft: boolean;
  readonly headSha: Sha;
}
export interface ModelPull {
  readonly number: number;
  readonly nodeId: string;
  readonly head: string;
  readonly base: string;
  readonly createdAt: number;
  readonly author: Actor;
  readonly timeline: Timeline<PullState>;
}
export interface ModelComment {
  readonly id: number;
  readonly issue: number;
  readonly author: Actor;
  readonly createdAt: number;
  readonly timeline: Timeline<string>;
}
export interface ModelReview {
  readonly id: number;
  readonly pull: number;
  readonly author: Actor;
  readonly body: string;
  readonly timeline: Timeline<Review["state"]>;
  readonly commit: Sha;
  readonly at: number;
  readonly comments: number;
}
export interface ModelCheck {
  readonly id: number;
  readonly sha: Sha;
  readonly appId: number;
  readonly createdAt: number;
  readonly timeline: Timeline<
    Omit<CheckOutput, "annotations" | "conclusion" | "name"> & { name: string; conclusion: string | null }
  >;
}
export interface ModelRun {
  readonly id: number;
  readonly title: string;
  readonly event: string;
  readonly headSha: Sha;
  readonly headBranch: string;
  readonly path: string;
  readonly createdAt: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly timeline: Timeline<{ readonly status: WorkflowRun["status"]; readonly conclusion: string | null }>;
  artifact: { readonly text: string; readonly at: number } | null;
}

/** Something that happened, for those who watch. */
export type Happening =
  | {
      readonly kind: "ref";
      readonly at: number;
      readonly by: Actor;
      readonly branch: string;
      readonly from: Sha | null;
      readonly to: Sha | null;
    }
  | { readonly kind: "dispatch"; readonly at: number; readonly run: ModelRun }
  | { readonly kind: "run-ended"; readonly at: number; readonly run: ModelRun; readonly conclusion: string }
  | { readonly kind: "comment"; readonly at: number; readonly comment: ModelComment }
  | { readonly kind: "pull"; readonly at: number; readonly pull: ModelPull }
  | { readonly kind: "review"; readonly at: number; readonly review: ModelReview }
  | { readonly kind: "check"; readonly at: number; readonly check: ModelCheck }
  | { readonly kind: "merge"; readonly at: number; readonly by: Actor; readonly pull: ModelPull; readonly commit: Sha };

export const APP: Actor = { login: "taskfleet[bot]", id: 9001, bot: true };
export const APP_ID = 77;
/** The App that judges, where there is a second one. */
export const REVIEWER: Actor = { login: "taskfleet-reviewer[bot]", id: 9002, bot: true };
export const REVIEWER_ID = 78;
/** The repository's own CI. */
export const OWN_CI_PATH = ".github/workflows/ci.yml";
export const REPOSITORY: RepositoryRef = { id: 4242, owner: "octo", name: "tally", installationId: 5 };
const URL = "https://github.com/octo/tally";

export interface ModelHooks {
  /** Something happened, told at once and in order. */
  happened(happening: Happening): void;
  /** A webhook GitHub would send. */
  emit(event: string, payload: Readonly<Record<string, unknown>>): void;
  /** A workflow run begins its life. */
  startRun(run: ModelRun): void;
  /** How long until GitHub notices that a base contains a pull request's head. */
  mergeDelay(pull: number): number;
}

export class GitHubModel {
  readonly git = new GitModel();
  readonly time: VirtualTime;
  readonly refs = new Map<string, Timeline<Sha | null>>();
  /** Who deleted a branch last. */
  readonly deletedBy = new Map<string, string>();
  readonly issues = new Map<number, ModelIssue>();
  readonly pulls = new Map<number, ModelPull>();
  readonly comments = new Map<number, ModelComment>();
  readonly reviews: ModelReview[] = [];
  readonly checks = new Map<number, ModelCheck>();
  readonly statuses: Array<{
    sha: Sha;
    context: string;
    state: "error" | "failure" | "pending" | "success";
    at: number;
  }> = [];
  readonly runs = new Map<number, ModelRun>();
  readonly roles = new Map<string, RepositoryRole>();
  hooks: ModelHooks;
  defaultBranch = "main";
  /** A protected source branch takes pull requests only. */
  readonly protectedBranches = new Set<string>();
  #number = 0;
  #id = 100_000;

  constructor(time: VirtualTime, hooks: ModelHooks) {
    this.time = time;
    this.hooks = hooks;
  }

  nextId(): number {
    return (this.#id += 1);
  }

  head(branch: string): Sha | null {
    return this.refs.get(branch)?.now ?? null;
  }

  payload(sender: Actor, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return {
      ...more,
      sender: { login: sender.login, id: sender.id, type: sender.bot ? "Bot" : "User" },
      repository: { id: REPOSITORY.id, name: REPOSITORY.name, owner: { login: REPOSITORY.owner } },
      installation: { id: REPOSITORY.installationId },
    };
  }

  // issues and comments

  createIssue(author: Actor, title: string, body: string): ModelIssue {
    const number = (this.#number += 1);
    const state: IssueState = { title, body, state: "open", locked: false, labels: [] };
    const issue: ModelIssue = { number, author, timeline: new Timeline(this.time.now(), state), labelings: [] };
    this.issues.set(number, issue);
    this.hooks.emit("issues", this.payload(author, { action: "opened", issue: { number } }));
    return issue;
  }

  changeIssue(number: number, by: Actor, action: string, change: Partial<IssueState>, more: object = {}): void {
    const issue = this.issues.get(number);
    if (issue === undefined) throw notFound(`issue ${number}`);
    const before = issue.timeline.now.labels;
    issue.timeline.set(this.time.now(), { ...issue.timeline.now, ...change });
    for (const label of change.labels ?? [])
      if (!before.includes(label)) issue.labelings.push({ by, at: this.time.now(), label });
    this.hooks.emit("issues", this.payload(by, { action, issue: { number }, ...more }));
  }

  createComment(number: number, author: Actor, body: string): ModelComment {
    if (!this.issues.has(number) && !this.pulls.has(number)) throw notFound(`issue ${number}`);
    const at = this.time.now();
    const comment: ModelComment = {
      id: this.nextId(),
      issue: number,
      author,
      createdAt: at,
      timeline: new Timeline(at, body),
    };
    this.comments.set(comment.id, comment);
    this.hooks.happened({ kind: "comment", at, comment });
    this.hooks.emit(
      "issue_comment",
      this.payload(author, { action: "created", issue: { number }, comment: { id: comment.id, body } }),
    );
    return comment;
  }

  // refs

  setRef(branch: string, to: Sha | null, by: Actor): void {
    const at = this.time.now();
    const timeline = this.refs.get(branch);
    if (to === null) this.deletedBy.set(branch, by.login);
    const from = timeline?.now ?? null;
    if (timeline === undefined) this.refs.set(branch, new Timeline<Sha | null>(at, to));
    else timeline.set(at, to);
    this.hooks.happened({ kind: "ref", at, by, branch, from, to });
    this.hooks.emit(
      "push",
      this.payload(by, { ref: `refs/heads/${branch}`, deleted: to === null, after: to ?? "0".repeat(40) }),
    );
    if (to !== null) this.#startOwnChecks(branch, to);
    this.#followPulls(branch, to, by);
  }

  /** The repository's own workflow runs on every push, unless the commit says otherwise. */
  #startOwnChecks(branch: string, head: Sha): void {
    if (!this.git.files(head).has(OWN_CI_PATH) || this.git.commit(head).message.includes("skip-checks: true")) return;
    this.createRun({ title: "ci", event: "push", headSha: head, headBranch: branch, path: OWN_CI_PATH, inputs: {} });
  }

  #followPulls(branch: string, to: Sha | null, by: Actor): void {
    for (const pull of this.pulls.values()) {
      if (pull.timeline.now.state === "closed") continue;
      if (to === null && (pull.head === branch || pull.base === branch)) {
        this.changePull(pull.number, by, "closed", { state: "closed" });
      } else if (to !== null && pull.head === branch) {
        this.changePull(pull.number, by, "synchronize", { headSha: to });
        this.#noticeMerge(pull);
      } else if (pull.base === branch) this.#noticeMerge(pull);
    }
  }

  /** A base that contains a pull request's head marks it merged, some time later. */
  #noticeMerge(pull: ModelPull): void {
    const base = this.head(pull.base);
    if (base === null || !this.git.isAncestor(pull.timeline.now.headSha, base)) return;
    const merged = base;
    this.time.after(this.hooks.mergeDelay(pull.number), () => {
      const { state, headSha } = pull.timeline.now;
      if (state !== "open" || !this.git.isAncestor(headSha, merged)) return;
      this.changePull(pull.number, APP, "closed", { state: "closed", merged: true, mergeCommit: merged });
    });
  }

  // pull requests

  createPull(
    author: Actor,
    pull: { head: string; base: string; title: string; body: string; draft: boolean },
  ): ModelPull {
    const head = this.head(pull.head);
    const base = this.head(pull.base);
    if (head === null || base === null)
      throw new GitHubFailure("terminal", "GitHub refuses (422): head or base invalid", { status: 422 });
    for (const other of this.pulls.values())
      if (other.timeline.now.state === "open" && other.head === pull.head && other.base === pull.base)
        throw new GitHubFailure("conflict", "It exists already. GitHub says: A pull request already exists", {
          status: 422,
        });
    if (this.git.isAncestor(head, base))
      throw new GitHubFailure("terminal", "GitHub refuses (422): No commits between", { status: 422 });
    const number = (this.#number += 1);
    const at = this.time.now();
    const { title, body, draft } = pull;
    const state: PullState = { title, body, state: "open", merged: false, mergeCommit: null, draft, headSha: head };
    const created: ModelPull = {
      number,
      nodeId: `PR_${number}`,
      head: pull.head,
      base: pull.base,
      createdAt: at,
      author,
      timeline: new Timeline(at, state),
    };
    this.pulls.set(number, created);
    this.hooks.happened({ kind: "pull", at, pull: created });
    this.hooks.emit("pull_request", this.payload(author, { action: "opened", ...this.pullPayload(created) }));
    return created;
  }

  pullPayload(pull: ModelPull): object {
    return { pull_request: { number: pull.number, head: { ref: pull.head }, merged: pull.timeline.now.merged } };
  }

  changePull(number: number, by: Actor, action: string, change: Partial<PullState>): void {
    const pull = this.pulls.get(number);
    if (pull === undefined) throw notFound(`pull request ${number}`);
    pull.timeline.set(this.time.now(), { ...pull.timeline.now, ...change });
    this.hooks.emit("pull_request", this.payload(by, { action, ...this.pullPayload(pull) }));
  }

  /** Merges by button or `PUT merge`: with a merge commit, or squashed. */
  mergePull(number: number, by: Actor, merge: { readonly method: "merge" | "squash"; readonly message: string }): Sha {
    const pull = this.pulls.get(number);
    if (pull === undefined) throw notFound(`pull request ${number}`);
    const { state, headSha, draft } = pull.timeline.now;
    const base = this.head(pull.base);
    if (state !== "open" || base === null || draft)
      throw new GitHubFailure("terminal", "GitHub refuses the merge: it is not open", { status: 405 });
    const merged = this.git.merge(base, headSha);
    if ("conflicts" in merged)
      throw new GitHubFailure("conflict", "It cannot be merged as it stands.", { status: 405 });
    const parents = merge.method === "merge" ? [base, headSha] : [base];
    const commit = this.git.putCommit({ tree: merged.tree, parents, message: merge.message }, this.time.now());
    this.changePull(number, by, "closed", { state: "closed", merged: true, mergeCommit: commit });
    this.hooks.happened({ kind: "merge", at: this.time.now(), by, pull, commit });
    this.setRef(pull.base, commit, by);
    return commit;
  }

  createReview(
    number: number,
    author: Actor,
    review: { body: string; state: Review["state"]; commit: Sha; comments: number },
  ): ModelReview {
    if (!this.pulls.has(number)) throw notFound(`pull request ${number}`);
    const { state, ...rest } = review;
    const at = this.time.now();
    const made: ModelReview = {
      id: this.nextId(),
      pull: number,
      author,
      at,
      timeline: new Timeline(at, state),
      ...rest,
    };
    this.reviews.push(made);
    this.hooks.happened({ kind: "review", at: made.at, review: made });
    const pull = this.pulls.get(number);
    if (pull !== undefined)
      this.hooks.emit("pull_request_review", this.payload(author, { action: "submitted", ...this.pullPayload(pull) }));
    return made;
  }

  /** Takes back an approval or a request for changes; a comment stays what it is. */
  dismissReview(number: number, id: number, by: Actor): void {
    const review = this.reviews.find((entry) => entry.id === id && entry.pull === number);
    const pull = this.pulls.get(number);
    if (review === undefined || pull === undefined) throw notFound(`review ${id}`);
    const { now } = review.timeline;
    if (now !== "APPROVED" && now !== "CHANGES_REQUESTED") return;
    review.timeline.set(this.time.now(), "DISMISSED");
    this.hooks.emit("pull_request_review", this.payload(by, { action: "dismissed", ...this.pullPayload(pull) }));
  }

  // checks and runs

  createCheck(
    appId: number,
    check: CheckOutput | (Omit<CheckOutput, "name" | "conclusion"> & { name: string; conclusion?: string }),
  ): ModelCheck {
    if (this.git.findCommit(check.sha) === undefined)
      throw new GitHubFailure("terminal", "GitHub refuses (422): No commit found", { status: 422 });
    const at = this.time.now();
    const { annotations: _, ...rest } = check;
    const state = { ...rest, conclusion: check.conclusion ?? null };
    const made: ModelCheck = {
      id: this.nextId(),
      sha: check.sha,
      appId,
      createdAt: at,
      timeline: new Timeline(at, state),
    };
    this.checks.set(made.id, made);
    this.hooks.happened({ kind: "check", at, check: made });
    return made;
  }

  createRun(run: Omit<ModelRun, "id" | "createdAt" | "timeline" | "artifact">): ModelRun {
    const at = this.time.now();
    const made: ModelRun = {
      ...run,
      id: this.nextId(),
      createdAt: at,
      timeline: new Timeline(at, { status: "queued", conclusion: null }),
      artifact: null,
    };
    this.runs.set(made.id, made);
    if (run.path === WORKFLOW_PATH) this.hooks.happened({ kind: "dispatch", at, run: made });
    this.hooks.startRun(made);
    return made;
  }

  beginRun(run: ModelRun): void {
    if (run.timeline.now.status === "completed") return;
    run.timeline.set(this.time.now(), { status: "in_progress", conclusion: null });
    this.#emitRun(run, "in_progress");
  }

  endRun(run: ModelRun, conclusion: string, artifact: string | null): void {
    if (run.timeline.now.status === "completed") return;
    if (artifact !== null) run.artifact = { text: artifact, at: this.time.now() };
    run.timeline.set(this.time.now(), { status: "completed", conclusion });
    this.hooks.happened({ kind: "run-ended", at: this.time.now(), run, conclusion });
    this.#emitRun(run, "completed");
  }

  #emitRun(run: ModelRun, action: string): void {
    const sender: Actor = run.path === WORKFLOW_PATH ? APP : { login: "alice", id: 1, bot: false };
    this.hooks.emit(
      "workflow_run",
      this.payload(sender, { action, workflow_run: { id: run.id, display_title: run.title } }),
    );
  }

  /** A commit pushed by a person on top of a branch. */
  pushFiles(branch: string, by: Actor, message: string, files: Readonly<Record<string, string | null>>): Sha | null {
    const head = this.head(branch);
    if (head === null) return null;
    const { tree } = this.git.commit(head);
    const changes = Object.entries(files).map(([path, content]) =>
      content === null ? { path, sha: null } : { path, mode: "100644" as const, content },
    );
    const changed = this.git.changeTree(tree, changes);
    if (changed === null) return null;
    const commit = this.git.putCommit({ tree: changed, parents: [head], message }, this.time.now());
    this.setRef(branch, commit, by);
    return commit;
  }
}

export function notFound(what: string): GitHubFailure {
  return new GitHubFailure("conflict", `GitHub does not find it (any more): ${what}`, { status: 404 });
}

export function formatUrl(...parts: readonly (string | number)[]): string {
  return [URL, ...parts].join("/");
}

export function formatDelivery(seed: number, n: number): string {
  return hash("sha1", `${seed}/${n}`).slice(0, 32);
}
