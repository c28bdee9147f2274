import { type KeyObject, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { Account } from "../state/account.ts";
import type { App, Permissions, RegisteredApp } from "../state/app.ts";

export interface AppSettings {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly webhookSecret: string;
  readonly permissions: Permissions;
  readonly events: readonly string[];
}

const BOT_ID_OFFSET = 100_000_000;

function buildBot(appId: number, slug: string): Account {
  return { id: BOT_ID_OFFSET + appId, login: `${slug}[bot]`, type: "Bot" };
}

let key: KeyObject | null = null;

/** Made once in a process: a pair takes a tenth of a second to find, and tests start many sandboxes. */
function loadPrivateKey(): KeyObject {
  key ??= generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  return key;
}

/** Registers the App under test with its key pair. */
export function createApp(
  settings: AppSettings,
  createdAt: number,
): { readonly app: RegisteredApp; readonly privateKey: string } {
  const privateKey = loadPrivateKey();
  const app: RegisteredApp = {
    ...settings,
    clientId: `Iv23li${String(settings.id).padStart(14, "0")}`,
    owner: { id: BOT_ID_OFFSET - settings.id, login: `${settings.slug}-owner`, type: "Organization" },
    bot: buildBot(settings.id, settings.slug),
    publicKey: createPublicKey(privateKey),
    createdAt,
  };
  return { app, privateKey: privateKey.export({ type: "pkcs1", format: "pem" }).toString() };
}

/** GitHub's own App, which owns the checks of workflow jobs; its id is the real one. */
export function buildActionsApp(createdAt: number): App {
  return {
    id: 15_368,
    slug: "github-actions",
    name: "GitHub Actions",
    clientId: "Iv1.05c79e9ad1f6bdfa",
    owner: { id: 9919, login: "github", type: "Organization" },
    bot: { id: 41_898_282, login: "github-actions[bot]", type: "Bot" },
    permissions: { checks: "write", contents: "write", issues: "write", pull_requests: "write", metadata: "read" },
    events: [],
    createdAt,
  };
}
