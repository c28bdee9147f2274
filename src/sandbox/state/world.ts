import type { Account, Role } from "./account.ts";
import type { Actor } from "./actor.ts";
import type { App, Installation, RegisteredApp } from "./app.ts";
import { IdCounter } from "./ids.ts";
import type { Repository } from "./repository.ts";

/** A credential and what it stands for; expired ones stay, so that they are refused as such. */
export interface Token {
  readonly actor: Actor;
  /** Milliseconds; null for tokens of people. */
  readonly expiresAt: number | null;
  revoked: boolean;
}

/** Everything the sandbox remembers outside git. */
export class World {
  readonly ids = new IdCounter();
  /** By lower-cased login. */
  readonly accounts = new Map<string, Account>();
  readonly repositories = new Map<number, Repository>();
  readonly tokens = new Map<string, Token>();
  readonly installations = new Map<number, Installation>();
  /** Former `owner/name`, lower-cased, to repository id. */
  readonly formerNames = new Map<string, number>();
  readonly app: RegisteredApp;
  /** Apps beside the one under test, which get no webhooks. */
  readonly otherApps: RegisteredApp[] = [];
  readonly actionsApp: App;
  /** Dates, limits. */
  readonly now: () => number;
  /** Credentials: their other side lives in other processes, by the real clock. */
  readonly authNow: () => number;

  constructor(parts: {
    readonly app: RegisteredApp;
    readonly actionsApp: App;
    readonly now: () => number;
    readonly authNow: () => number;
  }) {
    this.app = parts.app;
    this.actionsApp = parts.actionsApp;
    this.now = parts.now;
    this.authNow = parts.authNow;
    for (const account of [parts.app.owner, parts.app.bot, parts.actionsApp.owner, parts.actionsApp.bot]) {
      this.accounts.set(account.login.toLowerCase(), account);
    }
  }

  findApp(id: number): App | null {
    return [this.app, ...this.otherApps, this.actionsApp].find((app) => app.id === id) ?? null;
  }

  findAccount(login: string): Account | null {
    return this.accounts.get(login.toLowerCase()) ?? null;
  }

  addAccount(login: string, type: Account["type"]): Account {
    const account: Account = { id: this.ids.take("account"), login, type };
    this.accounts.set(login.toLowerCase(), account);
    return account;
  }

  /** Owner and name are matched without regard to case, as GitHub does. */
  findRepository(owner: string, name: string): Repository | null {
    const wanted = `${owner}/${name}`.toLowerCase();
    for (const repository of this.repositories.values()) {
      if (`${repository.owner.login}/${repository.name}`.toLowerCase() === wanted) return repository;
    }
    return null;
  }

  /** The repository that once had this name, when no other has it now. */
  findRenamed(owner: string, name: string): Repository | null {
    const id = this.formerNames.get(`${owner}/${name}`.toLowerCase());
    return id === undefined ? null : (this.repositories.get(id) ?? null);
  }

  /** The account's role; everybody reads a public repository. */
  roleOf(repository: Repository, account: Account): Role | null {
    if (account.id === repository.owner.id) return "admin";
    return repository.collaborators.get(account.id) ?? (repository.private ? null : "read");
  }

  /** The App of an installation. */
  appOf(installation: Installation): RegisteredApp {
    return this.otherApps.find((app) => app.id === installation.appId) ?? this.app;
  }

  findInstallation(repository: Repository, app: App = this.app): Installation | null {
    for (const installation of this.installations.values()) {
      if (installation.appId === app.id && installation.account?.id === repository.owner.id) return installation;
    }
    return null;
  }
}
