/**
 * The truth: one repository on GitHub, its people, and everything that ever happened there. What can be done
 * to it has a file of its own by what it is done to: issues, branches, pulls, reviews, checks, runs.
 */
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Actor, RepositoryRole } from "../../../src/github/port.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { GitModel } from "./git-model.ts";
import type { ModelHooks } from "./happening.ts";
import { REPOSITORY } from "./identities.ts";
import type { ModelCheck, ModelComment, ModelIssue, ModelPull, ModelReview, ModelRun } from "./things.ts";
import type { Timeline } from "./timeline.ts";

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
  /** Files on the default branches of the owner's other repositories, by `repository/path`. */
  readonly elsewhere = new Map<string, string>();
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

  /** Issues and pull requests are numbered together. */
  nextNumber(): number {
    return (this.#number += 1);
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
}
