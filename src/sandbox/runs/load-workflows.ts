import type { WorkflowFile } from "../actions/runner-host.ts";
import { parseTreeContent } from "../git/tree-content.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import type { Workflow } from "../state/workflow-run.ts";

const FOLDER = ".github/workflows";

/** The workflow files of a commit, sorted by name. */
export async function loadWorkflows(repository: Repository, revision: string): Promise<WorkflowFile[]> {
  const folder = await repository.git.objects.read(`${revision}:${FOLDER}`);
  if (folder?.type !== "tree") return [];
  const files: WorkflowFile[] = [];
  for (const [name, { sha }] of parseTreeContent(folder.content)) {
    if (!/\.ya?ml$/.test(name)) continue;
    const blob = await repository.git.objects.read(sha);
    if (blob?.type === "blob") files.push({ path: `${FOLDER}/${name}`, text: blob.content.toString() });
  }
  return files;
}

/** One workflow file of a commit, or null. */
export async function loadWorkflow(
  repository: Repository,
  revision: string,
  path: string,
): Promise<WorkflowFile | null> {
  const blob = await repository.git.objects.read(`${revision}:${path}`);
  return blob?.type === "blob" ? { path, text: blob.content.toString() } : null;
}

/** The workflow's record; its id stays the same as long as its path does. */
export function ensureWorkflow(services: Services, repository: Repository, path: string): Workflow {
  const known = repository.workflows.get(path);
  if (known !== undefined) return known;
  const workflow: Workflow = {
    id: services.world.ids.take("workflow"),
    path,
    createdAt: services.world.now(),
  };
  repository.workflows.set(path, workflow);
  return workflow;
}
