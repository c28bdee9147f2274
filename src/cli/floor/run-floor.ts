import type { Terminal } from "../terminal.ts";
import { formatFloor } from "./format-floor.ts";
import { findCommit, findMergeBase, findRoot } from "./git-view.ts";
import { loadConfig, loadScope, type ScopeOptions } from "./load-scope.ts";
import { computeLocalFloor } from "./local-floor.ts";

export interface RunOptions extends ScopeOptions {
  readonly repo: string;
  readonly config?: string;
  readonly base: string;
  readonly head: string;
  readonly json?: true;
}

/** @returns 0 passed, 1 failed. */
export async function runFloor(terminal: Terminal, options: RunOptions): Promise<number> {
  const root = await findRoot(options.repo);
  const head = await findCommit(root, options.head);
  const base = await findMergeBase(root, await findCommit(root, options.base), head);
  const config = await loadConfig(root, base, options.config);
  const { scope, checks } = await loadScope(options);
  const { result, captures } = await computeLocalFloor({
    root,
    base,
    head,
    config,
    scope,
    checks,
    progress: (step) => {
      if (options.json !== true) terminal.writeError(`${step}\n`);
    },
  });
  terminal.write(
    options.json === true
      ? `${JSON.stringify({ base, head, runner: captures.runner, ...result })}\n`
      : formatFloor(result, terminal.isColoured),
  );
  return result.outcome === "pass" ? 0 : 1;
}
