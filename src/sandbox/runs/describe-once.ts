import { type WorkflowDescription, describeWorkflow } from "../actions/describe-workflow.ts";
import type { WorkflowFile } from "../actions/runner-host.ts";

const MAX_KNOWN = 100;
const known = new Map<string, WorkflowDescription>();

/** Parsing a workflow takes ten milliseconds, and every event of a run asks what it is called. */
export function describeOnce(file: WorkflowFile): WorkflowDescription {
  const key = `${file.path}\0${file.text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const description = describeWorkflow(file);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, description);
  return description;
}
