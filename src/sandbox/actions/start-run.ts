import { buildGithubContext, buildInputsContext } from "./contexts.ts";
import { describeWorkflow } from "./describe-workflow.ts";
import { formatRunName } from "./format-run-name.ts";
import { removeFolder } from "./job-folders.ts";
import type { RunnerOptions } from "./job-session.ts";
import { parseWorkflowTemplate } from "./parse-template.ts";
import { runJobs } from "./run-jobs.ts";
import type { Conclusion, RunRequest, RunnerHost } from "./runner-host.ts";
import { readWorkflow } from "./workflow.ts";

export type StartRunOptions = Partial<Omit<RunnerOptions, "times">> & {
  readonly times?: Partial<RunnerOptions["times"]>;
};

/** https://docs.github.com/en/actions/reference/workflow-cancellation-reference */
const defaultTimes: RunnerOptions["times"] = {
  interruptMs: 7_500,
  terminateMs: 2_500,
  outputMs: 5_000,
  cancelMs: 300_000,
};

/**
 * Runs a workflow to its end as local processes below `request.workDir`; nothing of it is left
 * afterwards, neither processes nor files. Never rejects for what the workflow does.
 * @param signal cancels the run the way GitHub does: running steps are asked to end, conditions that
 *   still hold (`always()`) are honoured
 */
export async function startRun(
  request: RunRequest,
  host: RunnerHost,
  signal: AbortSignal,
  options: StartRunOptions = {},
): Promise<{ conclusion: Conclusion; runName: string }> {
  const description = describeWorkflow(request.workflow);
  const runName = formatRunName(description, request);
  const { root, errors } = parseWorkflowTemplate(request.workflow.path, request.workflow.text);
  if (root === null || errors.length > 0) return { conclusion: "startup_failure", runName };
  const times = { ...defaultTimes, ...options.times };
  const force = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onCancel = (): void => {
    timer = setTimeout(() => force.abort(), times.cancelMs);
  };
  if (signal.aborted) onCancel();
  else signal.addEventListener("abort", onCancel, { once: true });
  try {
    const conclusion = await runJobs({
      workflow: readWorkflow(root),
      github: buildGithubContext(description, request),
      inputs: buildInputsContext(description, request),
      request,
      host,
      options: {
        actionOverrides: options.actionOverrides ?? {},
        maxLogBytes: options.maxLogBytes ?? 10 * 1024 * 1024,
        times,
      },
      cancel: signal,
      force: force.signal,
    });
    return { conclusion, runName };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onCancel);
    await removeFolder(request.workDir);
  }
}
