import type { OtherAppSettings } from "../sandbox-options.ts";
import type { World } from "../state/world.ts";
import { createApp } from "./create-app.ts";

const REVIEWER_PERMISSIONS = { pull_requests: "write", contents: "read", metadata: "read" } as const;

/** Registers an App beside the one under test and installs it on an account. It has no webhook. */
export function registerApp(
  world: World,
  { slug, owner, permissions }: OtherAppSettings,
): { readonly appId: number; readonly privateKey: string } {
  const account = world.findAccount(owner);
  if (account === null) throw new Error(`there is no account ${owner}`);
  const id = world.app.id + 1 + world.otherApps.length;
  const { app, privateKey } = createApp(
    { id, slug, name: slug, webhookSecret: "", permissions: permissions ?? REVIEWER_PERMISSIONS, events: [] },
    world.now(),
  );
  world.otherApps.push(app);
  world.accounts.set(app.bot.login.toLowerCase(), app.bot);
  const installation = {
    id: world.ids.take("installation"),
    appId: id,
    account,
    createdAt: world.now(),
    suspendedAt: null,
  };
  world.installations.set(installation.id, installation);
  return { appId: id, privateKey };
}
