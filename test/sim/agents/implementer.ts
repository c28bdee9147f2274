/** Agents that write code: most do their work, some break what works, leave their scope, or return nothing. */
import type { ChangeEntry, ChangeSet } from "../../../src/contracts/change-set.ts";
import type { JobRequest } from "../../../src/contracts/job.ts";
import type { Plan } from "../../../src/contracts/plan.ts";
import type { GitModel } from "../model/git-model.ts";
import type { Scenario } from "../scenario.ts";

export type Work =
  | { readonly kind: "change-set"; readonly changeSet: ChangeSet }
  | { readonly kind: "unusable" | "external"; readonly cause: string }
  | { readonly kind: "garbage"; readonly text: string };

/** What an attempt turns out to be; it depends on the chunk and the attempt's number alone. */
export const MISTAKES = [
  "breaks-tests",
  "breaks-others",
  "lint",
  "types",
  "no-tests",
  "out-of-scope",
  "protected",
  "traversal",
  "secret",
  "symlink",
  "flaky",
  "removes-test",
  "clashes",
  "empty",
  "garbage",
  "unusable",
  "external",
  "other-base",
] as const;
export type Mistake = (typeof MISTAKES)[number] | "none";
/** What comes of these depends neither on what else has landed nor on luck. */
export const STEADY_MISTAKES: Mistakes = ["breaks-tests", "breaks-others", "lint", "types", "out-of-scope", "unusable"];
export type Mistakes = readonly [Mistake, ...Mistake[]];

export function drawMistake(scenario: Scenario, chunk: string, attempt: number): Mistake {
  const chance = scenario.chance.scope("implementer");
  const label = `${chunk}:${attempt}`;
  // Feedback helps: each further attempt is better.
  if (!chance.happens(`bad:${label}`, scenario.temper.implementer / attempt ** 0.7)) return "none";
  return chance.pick(`mistake:${label}`, scenario.mistakes);
}

export function implement(git: GitModel, scenario: Scenario, request: JobRequest, plan: Plan | null): Work {
  const id = request.chunk ?? "";
  const attempt = request.attempt ?? 1;
  const chunk = plan?.chunks.find((entry) => entry.id === id);
  if (chunk === undefined) return { kind: "unusable", cause: "the plan does not have the chunk" };
  const mistake = drawMistake(scenario, id, attempt);
  if (mistake === "unusable") return { kind: "unusable", cause: "the agent gave up" };
  if (mistake === "external") return { kind: "external", cause: "the provider is overloaded: wait and try again" };
  if (mistake === "garbage") return { kind: "garbage", text: '{"v":1,"outcome":"perhaps"' };
  const commit = request.commit as Parameters<GitModel["files"]>[0];
  const source: string[] = [`// ${id}, written in attempt ${attempt}`, `const ${id} = ${attempt};`];
  const tests = [`it ${id} works`, `it ${id} refuses nothing`, "expect equal", "expect throws"];
  const entries: ChangeEntry[] = [];
  switch (mistake) {
    case "breaks-tests":
      source.push(`breaks ${id} works`);
      break;
    case "breaks-others":
      source.push("breaks base works");
      break;
    case "lint":
      source.push("lint no-unused");
      break;
    case "types":
      source.push("types");
      break;
    case "flaky":
      source.push(`flaky ${id} works`);
      break;
    case "clashes":
      source.push(`clashes src/c${scenario.chance.int(`clash:${id}`, 0, 8)}.js ${id} works`);
      break;
    case "out-of-scope":
      entries.push(write("src/elsewhere.js", `// from ${id}\n`));
      break;
    case "protected":
      entries.push(write(".github/workflows/ci.yml", "on: push\n"));
      break;
    case "traversal":
      entries.push(write("../outside.js", "x\n"));
      break;
    case "secret":
      source.push(`const key = "ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".slice(0, 36)}";`);
      break;
    case "symlink":
      entries.push({
        kind: "write",
        path: `src/${id}-link.js`,
        mode: "120000",
        encoding: "utf-8",
        content: "../../etc/passwd",
      });
      break;
    case "removes-test":
      entries.push({ kind: "delete", path: "test/base.test.js" });
      break;
    default:
  }
  for (const path of chunk.files_touched) {
    if (path === `src/${id}.js`) entries.push(write(path, `${source.join("\n")}\n`));
    else if (path.startsWith("test/")) {
      if (mistake !== "no-tests") entries.push(write(path, `${tests.join("\n")}\n`));
    } else {
      // A file several chunks share grows by a line.
      const before = git.readFile(commit, path) ?? "";
      entries.push(write(path, `${before}line of ${id}, attempt ${attempt}\n`));
    }
  }
  if (mistake === "empty") return { kind: "change-set", changeSet: { v: 1, base: request.commit, entries: [] } };
  const base = mistake === "other-base" ? "a".repeat(40) : request.commit;
  return { kind: "change-set", changeSet: { v: 1, base, entries } };
}

function write(path: string, content: string): ChangeEntry {
  return { kind: "write", path, mode: "100644", encoding: "utf-8", content };
}
