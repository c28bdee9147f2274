import type { Chunk } from "../../contracts/plan.ts";
import { checkPortablePath } from "../../contracts/safe-path.ts";
import { formatFound, type ProblemList } from "../problem-list.ts";
import type { LintContext } from "./lint-context.ts";

const maxFiles = 5;
const windowsDevice = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** What a chunk's scope and id say by themselves. */
export function lintScopes(context: LintContext, problems: ProblemList): void {
  for (const [index, chunk] of context.plan.chunks.entries()) {
    if (windowsDevice.test(chunk.id)) {
      problems.add(["chunks", index, "id"], "device-name", {
        message: `the chunk id ${formatFound(chunk.id)} is a device on Windows, where no file can have that name`,
        found: chunk.id,
        allowed: "any other id",
      });
    }
    if (chunk.files_touched.length > maxFiles) {
      problems.add(["chunks", index, "files_touched"], "many-files", {
        message: `${formatFound(chunk.id)} touches ${chunk.files_touched.length} files; small chunks fail, retry and get reviewed more cheaply`,
        found: `${chunk.files_touched.length} files`,
        allowed: `up to ${maxFiles}`,
      });
    }
    if (chunk.requires_tests === true && !chunk.files_touched.some(context.isTestFile)) {
      problems.add(["chunks", index, "requires_tests"], "no-test-file", {
        message: `${formatFound(chunk.id)} must add or change a test, but none of its files is one`,
        found: "no test file in files_touched",
        allowed: "a test file in scope, or requires_tests: false",
      });
    }
    lintPaths(context, chunk, index, problems);
  }
}

function lintPaths(context: LintContext, chunk: Chunk, index: number, problems: ProblemList): void {
  for (const [position, path] of chunk.files_touched.entries()) {
    const place = ["chunks", index, "files_touched", position];
    const found = formatFound(path);
    const reason = checkPortablePath(path);
    if (reason !== null) {
      problems.add(place, "unportable-path", {
        message: `the path ${found} ${reason}`,
        found,
        allowed: "a path every file system keeps",
      });
    }
    const protection = context.findProtection(path);
    if (protection === "declared") {
      const message = `${found} decides how work is checked or runs by itself: a person should approve that ${formatFound(chunk.id)} changes it`;
      problems.add(place, "protected-file", { message, found, allowed: "files that are not protected, or approval" });
    } else if (protection === "never") {
      const message = `${found} can be changed by no plan; ${formatFound(chunk.id)} would be refused when it is committed`;
      problems.add(place, "forbidden-file", { message, found, allowed: "any other file" });
    }
  }
}

/** Git keeps a branch as a file: `x` and `x/y` cannot both exist. */
export function lintBranches({ plan }: LintContext, problems: ProblemList): void {
  const { source_branch: source, integration_branch: integration } = plan.feature;
  if (!source.startsWith(`${integration}/`) && !integration.startsWith(`${source}/`)) return;
  problems.add(["feature", "integration_branch"], "nested-branch", {
    message: `git cannot keep both ${formatFound(source)} and ${formatFound(integration)}: one would be a folder of the other`,
    found: integration,
    allowed: "branches of which none is the other's prefix",
  });
}
