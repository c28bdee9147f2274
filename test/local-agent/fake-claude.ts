/** A program named `claude` that speaks Claude Code's way of print mode and does one small piece of work. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const PROGRAM = `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
let prompt = ""; for await (const part of process.stdin) prompt += part;
const find = (pattern) => pattern.exec(prompt)?.[1] ?? "";
const citation = { path: "greeting.txt", start: 1, end: 1, quote: "hello" };
const work = { desc: "the greeting says hello", run: "grep -qx hello greeting.txt" };
const verdict = () => ({
  v: 1, job: find(/\`job\` = \`([^\`]+)\`/u), commit: find(/\`commit\` = \`([^\`]+)\`/u), result: "pass",
  criteria: [{ criterion: 0, result: "pass", implementation: [citation], tests: [{ check: 0 }] }],
  findings: [], files_reviewed: ["greeting.txt"], summary: "It is there.",
});
function answer() {
  if (!process.argv.includes("--print") || process.env.ANTHROPIC_API_KEY === "sk-real-key-of-a-person") throw new Error("not started as it should be");
  if (/You implement one chunk/u.test(prompt)) {
    writeFileSync("greeting.txt", "hello\\n");
    return { summary: "Wrote the greeting." };
  }
  if (/adversarial reviewer/u.test(prompt)) return verdict();
  return {
    kind: "plan", triage: "simple", title: "Greet", goal: "A greeting.",
    chunks: [{ id: "greet", title: "Write the greeting", tier: "code", brief: "Write greeting.txt with the line hello.", files_touched: ["greeting.txt"], checks: [work] }],
    acceptance: [{ kind: "check", ...work }],
    requirements: [{ text: "a greeting", chunks: ["greet"] }],
  };
}
const said = answer();
process.stdout.write(JSON.stringify({
  type: "result", subtype: "success", is_error: false, result: JSON.stringify(said), structured_output: said,
  total_cost_usd: 0.05, usage: { input_tokens: 1000, output_tokens: 100 }, modelUsage: { "fake-model": {} },
}));
`;

/** @returns a PATH that finds it. */
export function installFakeClaude(folder: string): string {
  const bin = path.join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(bin, "claude"), PROGRAM);
  chmodSync(path.join(bin, "claude"), 0o755);
  return `${bin}:${process.env["PATH"] ?? ""}`;
}
