import type { KeyObject } from "node:crypto";
import type { Account } from "./account.ts";

export type PermissionLevel = "read" | "write";
export type Permissions = Readonly<Record<string, PermissionLevel>>;

/** A registered GitHub App: ours, or `github-actions`, which owns the checks of workflow jobs. */
export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly clientId: string;
  readonly owner: Account;
  readonly bot: Account;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly createdAt: number;
}

/** An App that acts here, with what only it and GitHub share. */
export interface RegisteredApp extends App {
  readonly publicKey: KeyObject;
  readonly webhookSecret: string;
}

export interface Installation {
  readonly id: number;
  readonly appId: number;
  account: Account | null;
  readonly createdAt: number;
  suspendedAt: number | null;
}
