/** Puts an App's key and settings where only their owner reads them, and never over something that is there. */
import { constants } from "node:fs";
import { access, lstat, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../../contracts/errors.ts";
import type { RegisteredApp } from "./register-app.ts";

export const SETTINGS_FILE = "taskfleet.env";
export const KEY_FILE = "taskfleet.private-key.pem";

/** @throws UserError when there is a key or a settings file already, or none could be written. */
export async function checkFree(folder: string): Promise<void> {
  const facts = await stat(folder).catch(() => null);
  if (facts?.isDirectory() !== true) throw new UserError(`${folder} is no folder.`);
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw new UserError(`${folder} cannot be written: choose another folder with --directory.`);
  });
  for (const name of [SETTINGS_FILE, KEY_FILE]) {
    const file = path.join(folder, name);
    // A link that leads nowhere is in the way, too.
    const there = await lstat(file).then(
      () => true,
      () => false,
    );
    if (there) throw new UserError(`${file} is there already, of an App registered before: take it elsewhere first.`);
  }
}

/**
 * Both files, or none of them.
 * @param extra further settings, as the environment names them
 * @throws UserError when they could not be written: GitHub gives this key to nobody again, the person has to make another.
 */
export async function keepApp(
  folder: string,
  app: RegisteredApp,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  const key = path.resolve(folder, KEY_FILE);
  const settings = {
    APP_ID: String(app.id),
    PRIVATE_KEY_PATH: key,
    WEBHOOK_SECRET: app.webhookSecret ?? "",
    ...extra,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${formatValue(value)}\n`);
  const written: string[] = [];
  const write = async (file: string, text: string): Promise<void> => {
    const handle = await open(file, "wx", 0o600);
    written.push(file);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  };
  try {
    await write(key, app.privateKey);
    await write(path.join(folder, SETTINGS_FILE), lines.join(""));
  } catch (error) {
    for (const file of written) await rm(file, { force: true });
    const why = error instanceof Error ? error.message : "unknown failure";
    throw new UserError(
      `${app.name} is registered, but its key could not be kept: ${why}. Make a new key on ${app.url}, or delete the App there and begin anew.`,
    );
  }
}

/** As shells, systemd and Node read it; quoted only where it must be, since Docker keeps the quotes. */
function formatValue(value: string): string {
  return /^[\w./:@%+=,-]*$/u.test(value) ? value : `"${value.replaceAll(/["\\$`]/gu, String.raw`\$&`)}"`;
}
