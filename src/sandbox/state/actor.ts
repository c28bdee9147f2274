import type { Account } from "./account.ts";
import type { Permissions, RegisteredApp } from "./app.ts";

/** Who a request comes from, as its credentials say. */
export type Actor =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app"; readonly app: RegisteredApp }
  | { readonly kind: "user"; readonly account: Account }
  | {
      readonly kind: "installation";
      readonly account: Account;
      readonly installationId: number;
      readonly permissions: Permissions;
      /** null: every repository of the installation. */
      readonly repositoryIds: readonly number[] | null;
    }
  | {
      /** A job's GITHUB_TOKEN. */
      readonly kind: "run";
      readonly account: Account;
      readonly repositoryId: number;
      readonly runId: number;
      readonly permissions: Permissions;
    };

/** Actors that can leave traces under their own name. */
export type NamedActor = Extract<Actor, { readonly account: Account }>;
