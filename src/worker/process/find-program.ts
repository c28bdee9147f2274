import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** The file that starting a program would execute, looked up as the system does; null when there is none. */
export function findProgram(
  name: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  // Windows adds endings of its own: there the start itself says whether it worked.
  if (process.platform === "win32") return name;
  const folders = name.includes("/") ? [""] : (env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(path.delimiter);
  for (const folder of folders) {
    const file = path.resolve(cwd, folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
