import type { StartRunOptions } from "./actions/start-run.ts";
import type { Faults } from "./faults.ts";
import type { RequestCounters } from "./limits/request-counters.ts";
import type { Runner } from "./runs/runner.ts";
import type { Lag, SandboxLogEntry } from "./services.ts";
import type { Role } from "./state/account.ts";
import type { Permissions } from "./state/app.ts";
import type { BranchRule } from "./state/branch-rule.ts";
import type { World } from "./state/world.ts";
import type { Delivery } from "./webhooks/delivery.ts";

export interface SandboxOptions {
  /** Folder for bare repositories, artifacts and workspaces of runs. The caller removes it. */
  readonly dataDir: string;
  /** 0 (default): a free one. */
  readonly port?: number;
  /** Whether GitHub's rate limits are enforced; they are counted either way. */
  readonly limits: "github" | "off";
  readonly app?: {
    readonly id?: number;
    readonly slug?: string;
    readonly name?: string;
    readonly webhookSecret?: string;
    /** Defaults to what the design asks for. */
    readonly permissions?: Permissions;
    readonly events?: readonly string[];
  };
  /** Milliseconds since the epoch; a virtual clock moves dates and limits. */
  readonly clock?: () => number;
  /** For JWTs and token lives: the real clock by default, since clients go by theirs. */
  readonly authClock?: () => number;
  readonly log?: (entry: SandboxLogEntry) => void;
  /** Answers runs in place of processes. */
  readonly runner?: Runner;
  /** For the real runner. */
  readonly runnerOptions?: StartRunOptions;
  /** Runs at the same time; 4 by default, 20 at most. */
  readonly slots?: number;
  readonly lag?: Partial<Lag>;
  /** Until a delivery without an answer has failed; 10 s as on GitHub. */
  readonly webhookTimeoutMs?: number;
}

export interface RepositoryOptions {
  readonly owner: string;
  readonly name: string;
  /** A plain folder, committed as one commit, or a git repository, taken over with branches and tags. */
  readonly fromDir: string;
  readonly collaborators: Readonly<Record<string, Role>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** `public` by default: anybody can read it. */
  readonly visibility?: "public" | "private";
  readonly defaultBranch?: string;
  /** Rules of rulesets, from which the App is not exempt. */
  readonly rules?: readonly BranchRule[];
}

interface SandboxUser {
  readonly login: string;
  readonly id: number;
  /** A personal access token. */
  readonly token: string;
}

export interface SandboxRepository {
  readonly id: number;
  readonly fullName: string;
  readonly cloneUrl: string;
}

export interface CheckButton {
  /** `owner/name`. */
  readonly repository: string;
  readonly checkRunId: number;
  /** A button's identifier, or GitHub's own "Re-run". */
  readonly press: "re-run" | (string & {});
  /** Login of who presses it. */
  readonly by: string;
}

export interface OtherAppSettings {
  readonly slug: string;
  /** Login of the account it is installed on. */
  readonly owner: string;
  /** Defaults to what somebody needs who reviews pull requests. */
  readonly permissions?: Permissions;
}

/** A local GitHub that is up. */
export interface Sandbox {
  /** `http://localhost:<port>`: for Probot, GHE_HOST is its host and GHE_PROTOCOL is `http`. */
  readonly url: string;
  /** Base address of the REST API. */
  readonly apiUrl: string;
  readonly app: {
    readonly id: number;
    readonly slug: string;
    readonly clientId: string;
    /** PEM. */
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  /** The installation on the first repository owner's account. */
  readonly installationId: number;
  readonly requests: Pick<RequestCounters, "all" | "app">;
  /** Every delivery in the order it arose, lost ones too. */
  readonly deliveries: readonly Delivery[];
  readonly faults: Faults;
  /** The state behind it all, for tests that change settings no API call here changes. */
  readonly world: World;
  /** null: deliveries are recorded and not sent. */
  setWebhookTarget(url: string | null): void;
  createUser(login: string): SandboxUser;
  createRepository(options: RepositoryOptions): Promise<SandboxRepository>;
  /** Registers another App, without webhooks, and installs it on an account. */
  registerApp(settings: OtherAppSettings): { readonly appId: number; readonly privateKey: string };
  /** Suspends (or resumes) an installation, as its owner can. */
  suspendInstallation(installationId: number): void;
  resumeInstallation(installationId: number): void;
  /** The former name redirects. */
  renameRepository(fullName: string, name: string): void;
  archiveRepository(fullName: string): void;
  unarchiveRepository(fullName: string): void;
  pressCheckButton(button: CheckButton): Promise<void>;
  /** Resolves when no delivery, run or background effect is pending. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
