import { writeFile } from "node:fs/promises";
import { checkCaptures } from "../../floor/baseline.ts";
import type { Terminal } from "../terminal.ts";
import { findCommit, findRoot } from "./git-view.ts";
import { loadConfig, loadScope, type ScopeOptions } from "./load-scope.ts";
import { captureCommit } from "./local-floor.ts";

export interface CaptureOptions extends ScopeOptions {
  readonly repo: string;
  readonly config?: string;
  readonly head: string;
  readonly reruns: number;
  readonly out?: string;
}

/** @returns 0 when the captures could serve as a baseline, 1 when they are no evidence. */
export async function runCapture(terminal: Terminal, options: CaptureOptions): Promise<number> {
  const root = await findRoot(options.repo);
  const head = await findCommit(root, options.head);
  const config = await loadConfig(root, head, options.config);
  const { checks } = await loadScope(options);
  const captures = await captureCommit({ root, config }, head, checks, options.reruns);
  const text = `${JSON.stringify(captures, null, 2)}\n`;
  if (options.out === undefined) terminal.write(text);
  else await writeFile(options.out, text);
  const problems = checkCaptures(captures);
  for (const { message } of problems) terminal.writeError(`${message}\n`);
  return problems.length === 0 ? 0 : 1;
}
