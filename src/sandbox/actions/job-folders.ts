import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JobFolders } from "./job-session.ts";

/** Creates a job's folders, laid out as on a hosted runner (`…/work/<repo>/<repo>`). */
export async function createJobFolders(root: string, repository: string, payload: unknown): Promise<JobFolders> {
  const name = repository.split("/")[1] ?? "repository";
  const folders: JobFolders = {
    root,
    workspace: path.join(root, "work", name, name),
    temp: path.join(root, "work", "_temp"),
    home: path.join(root, "home"),
    scratch: path.join(root, "tmp"),
    tools: path.join(root, "tools"),
    commandFiles: path.join(root, "work", "_temp", "_runner_file_commands"),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  await mkdir(path.dirname(deriveEventFile(folders)), { recursive: true });
  await writeFile(deriveEventFile(folders), JSON.stringify(payload ?? {}, null, 2));
  return folders;
}

export function deriveEventFile(folders: JobFolders): string {
  return path.join(folders.temp, "_github_workflow", "event.json");
}

/** Removes everything a job left, including what it made read-only. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
