import { listCriteria } from "../../contracts/criteria.ts";
import type { AgentRequest } from "../../contracts/agent-request.ts";
import type { Chunk } from "../../contracts/plan.ts";

/** The chunk as an agent gets it: every field filled. */
export function formatChunk(chunk: Chunk): NonNullable<AgentRequest["chunk"]> {
  return {
    id: chunk.id,
    title: chunk.title,
    brief: chunk.brief,
    files: [...chunk.files_touched],
    checks: chunk.checks.map((check) => ({
      desc: check.desc,
      run: check.run,
      ...(check.cwd === undefined ? {} : { cwd: check.cwd }),
      ...(check.expect_exit === undefined ? {} : { expect_exit: check.expect_exit }),
    })),
    assertions: [...(chunk.assertions ?? [])],
    requires_tests: chunk.requires_tests ?? false,
    tier: chunk.tier,
  };
}

/** The same for people and models. */
export function renderChunk(chunk: Chunk): string {
  const lines = [`${chunk.id}: ${chunk.title}`, "", chunk.brief.trim(), "", "Files you may touch:"];
  for (const file of chunk.files_touched) lines.push(`- ${file}`);
  lines.push("", "Checks:");
  chunk.checks.forEach((check, index) => {
    const place = check.cwd === undefined ? "" : ` (in ${check.cwd})`;
    const exit =
      check.expect_exit === undefined || check.expect_exit === 0 ? "" : `, must exit with ${check.expect_exit}`;
    lines.push(`${index}. ${check.desc}: \`${check.run}\`${place}${exit}`);
  });
  lines.push("", "Criteria:", renderCriteria(listCriteria(chunk)));
  if (chunk.requires_tests === true) lines.push("", "The change must add or modify a test file.");
  return lines.join("\n");
}

export function renderCriteria(criteria: readonly string[]): string {
  return criteria.map((criterion, index) => `${index}. ${criterion}`).join("\n");
}
