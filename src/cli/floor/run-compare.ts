import { readFile } from "node:fs/promises";
import { type Captures, capturesSchema } from "../../contracts/captures.ts";
import { UserError } from "../../contracts/errors.ts";
import { computeFloor } from "../../floor/compute-floor.ts";
import type { Terminal } from "../terminal.ts";
import { formatFloor } from "./format-floor.ts";
import { findCommit, findRoot } from "./git-view.ts";
import { loadConfig, loadScope, type ScopeOptions } from "./load-scope.ts";
import { buildInput } from "./local-floor.ts";

export interface CompareOptions extends ScopeOptions {
  readonly repo: string;
  readonly config?: string;
  readonly baseline: string;
  readonly captures: string;
  readonly json?: true;
}

/** @returns 0 passed, 1 failed. */
export async function runCompare(terminal: Terminal, options: CompareOptions): Promise<number> {
  const root = await findRoot(options.repo);
  const baseline = await loadCaptures(options.baseline);
  const captures = await loadCaptures(options.captures);
  const base = await findCommit(root, baseline.commit);
  const head = await findCommit(root, captures.commit);
  const config = await loadConfig(root, base, options.config);
  const { scope, checks } = await loadScope(options);
  const result = computeFloor(await buildInput({ root, base, head, config, scope, checks }, captures, baseline));
  terminal.write(
    options.json === true ? `${JSON.stringify({ base, head, ...result })}\n` : formatFloor(result, terminal.isColoured),
  );
  return result.outcome === "pass" ? 0 : 1;
}

async function loadCaptures(file: string): Promise<Captures> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = capturesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${file} holds no captures: ${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`);
}
