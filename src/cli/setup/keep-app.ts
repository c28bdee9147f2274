/** Puts an App's key and settings where only their owner reads them, and never over something that is there. */
import { access, writeFile } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../../contracts/errors.ts";
import type { RegisteredApp } from "./register-app.ts";

export const SETTINGS_FILE = "taskfleet.env";
export const KEY_FILE = "taskfleet.private-key.pem";

/** @throws UserError when there is a key or a settings file already. */
export async function checkFree(folder: string): Promise<void> {
  for (const name of [SETTINGS_FILE, KEY_FILE]) {
    const file = path.join(folder, name);
    const there = await access(file).then(
      () => true,
      () => false,
    );
    if (there) throw new UserError(`${file} is there already, of an App registered before: take it elsewhere first.`);
  }
  await access(folder).catch(() => {
    throw new UserError(`${folder} is no folder.`);
  });
}

/** @param extra further settings, as the environment names them */
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
  await writeFile(key, app.privateKey, { mode: 0o600, flag: "wx" });
  await writeFile(path.join(folder, SETTINGS_FILE), lines.join(""), { mode: 0o600, flag: "wx" });
}

/** As shells, systemd and Node read it; quoted only where it must be, since Docker keeps the quotes. */
function formatValue(value: string): string {
  return /^[\w./:@%+=,-]*$/u.test(value) ? value : `"${value.replaceAll(/["\\$`]/gu, String.raw`\$&`)}"`;
}
