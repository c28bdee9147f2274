/**
 * `npm run check`: everything that must hold before a change lands, in the order in which it
 * fails fastest. The same command is CI.
 */
import { spawnSync } from "node:child_process";

const steps: ReadonlyArray<readonly [name: string, command: string, args: readonly string[]]> = [
  ["format", "npm", ["run", "--silent", "format:check"]],
  ["lint", "npm", ["run", "--silent", "lint"]],
  ["types", "npm", ["run", "--silent", "types"]],
  ["generated files", "npm", ["run", "--silent", "generate", "--", "--check"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["tests", "npm", ["run", "--silent", "test"]],
];

for (const [name, command, args] of steps) {
  const started = performance.now();
  const last = name === "tests";
  if (last) console.log(`check ${name} …`);
  const result = spawnSync(command, args, { stdio: "inherit" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    if (!last)
      console.log(`check ${name}: FAILED after ${seconds} s; run \`${command} ${args.join(" ")}\`\n0 passed, 1 failed`);
    process.exit(1);
  }
  // The tests print the closing line, so nothing may follow it.
  if (!last) console.log(`check ${name}: ok (${seconds} s)`);
}
