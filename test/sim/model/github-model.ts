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
import type {
  ButtonPress,
  ModelCheck,
  ModelComment,
  ModelIssue,
  ModelPull,
  ModelReview,
  ModelRun,
  ModelStatus,
} from "./things.ts";
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
  /** What people have deleted: nobody sees it any more. */
  readonly deletedComments = new Map<number, ModelComment>();
  readonly reviews: ModelReview[] = [];
  readonly checks = new Map<number, ModelCheck>();
  readonly presses: ButtonPress[] = [];
  readonly statuses: ModelStatus[] = [];
  readonly runs = new Map<number, ModelRun>();
  readonly roles = new Map<string, RepositoryRole>();
  /** Files on the default branches of the owner's other repositories, by `repository/path`. */
  readonly elsewhere = new Map<string, string>();
  readonly #roleChanges: Array<{ readonly login: string; readonly at: number; readonly role: RepositoryRole }> = [];
  hooks: ModelHooks;
  defaultBranch = "main";
  /** Which installation the repository belongs to; null while the App is uninstalled. */
  installationId: number | null = REPOSITORY.installationId;
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

  changeRole(login: string, role: RepositoryRole): void {
    this.roles.set(login, role);
    this.#roleChanges.push({ login, at: this.time.now(), role });
  }

  /** Whether somebody could write at any moment of a time: its beginning and its end included. */
  hadWriteAccess(login: string, from: number, to: number): boolean {
    const writes = (role: RepositoryRole): boolean => role === "admin" || role === "maintain" || role === "write";
    const own = this.#roleChanges.filter((change) => change.login === login && change.at <= to);
    const first = own.findLastIndex((change) => change.at <= from);
    return own.slice(Math.max(0, first)).some((change) => writes(change.role));
  }

  /** Whether somebody could write all the time until now. */
  hasWrittenSince(login: string, from: number): boolean {
    const later = this.#roleChanges.some((change) => change.login === login && change.at > from);
    return !later && this.hadWriteAccess(login, from, from);
  }

  head(branch: string): Sha | null {
    return this.refs.get(branch)?.now ?? null;
  }

  payload(sender: Actor, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return {
      ...more,
      sender: { login: sender.login, id: sender.id, type: sender.bot ? "Bot" : "User" },
      repository: { id: REPOSITORY.id, name: REPOSITORY.name, owner: { login: REPOSITORY.owner } },
      installation: { id: this.installationId },
    };
  }

  /** The owner takes the App off; nobody tells it of anything and nothing is answered any more. */
  uninstall(): void {
    this.installationId = null;
  }

  /** It is put on again, as GitHub does it: by a new installation. */
  reinstall(owner: Actor): void {
    this.installationId = this.nextId();
    const { id, owner: account, name } = REPOSITORY;
    const repositories = [{ id, name, full_name: `${account}/${name}` }];
    const { sender, installation } = this.payload(owner, {});
    this.hooks.emit("installation", { action: "created", sender, installation, repositories });
  }
}
