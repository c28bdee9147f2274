import { randomBytes } from "node:crypto";
import type { Account } from "../state/account.ts";
import type { Actor } from "../state/actor.ts";
import type { Permissions, RegisteredApp } from "../state/app.ts";
import type { World } from "../state/world.ts";

const HOUR_MS = 3_600_000;

/**
 * Installation tokens of 2026: `ghs_<app>_<jwt>`, about 520 characters, so that nothing relies on forty.
 * https://github.blog/changelog/ (stateless installation tokens)
 */
function formatInstallationToken(appId: number): string {
  const part = (bytes: number) => randomBytes(bytes).toString("base64url");
  return `ghs_${appId}_eyJ${part(27)}.eyJ${part(202)}.${part(134)}`;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** An installation access token: one hour, the given permissions. */
export function issueInstallationToken(
  world: World,
  app: RegisteredApp,
  grant: {
    readonly installationId: number;
    readonly permissions: Permissions;
    readonly repositoryIds: readonly number[] | null;
  },
): IssuedToken {
  const token = formatInstallationToken(app.id);
  const expiresAt = world.authNow() + HOUR_MS;
  const actor: Actor = { kind: "installation", account: app.bot, ...grant };
  world.tokens.set(token, { actor, expiresAt, revoked: false });
  return { token, expiresAt };
}

/** The GITHUB_TOKEN of one job; it ends with the run. */
export function issueRunToken(
  world: World,
  grant: { readonly repositoryId: number; readonly runId: number; readonly permissions: Permissions },
): string {
  const token = formatInstallationToken(world.actionsApp.id);
  const actor: Actor = { kind: "run", account: world.actionsApp.bot, ...grant };
  // A job lasts 6 hours at most. https://docs.github.com/en/actions/reference/limits
  world.tokens.set(token, { actor, expiresAt: world.authNow() + 6 * HOUR_MS, revoked: false });
  return token;
}

/** A person's token, `ghp_` and 36 characters. */
export function issueUserToken(world: World, account: Account): string {
  const token = `ghp_${randomBytes(40).toString("base64url").replace(/[-_]/g, "x").slice(0, 36)}`;
  world.tokens.set(token, { actor: { kind: "user", account }, expiresAt: null, revoked: false });
  return token;
}

export function revokeRunTokens(world: World, runId: number): void {
  for (const token of world.tokens.values()) {
    if (token.actor.kind === "run" && token.actor.runId === runId) token.revoked = true;
  }
}
