/**
 * Judges a change by reading it: for each criterion the lines that implement it and the lines that test
 * it, found by the names the criterion gives in backticks. What cannot be found fails; nothing is taken
 * on trust, least of all what the change says about itself.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readDiff } from "./reading/diff.mjs";
import { findImplementation, findNearest, findTests } from "./reading/evidence.mjs";
import { findLeftovers } from "./reading/leftovers.mjs";

/** @returns {Promise<object>} a verdict */
export async function review(request, root) {
  const changed = readDiff(await readFile(path.join(root, "diff.patch"), "utf8"));
  const files = await loadFiles(path.join(root, "tree"), changed);
  const checks = request.chunk?.checks.length ?? countAcceptanceChecks(request);
  const criteria = request.criteria.map((text, index) => judge({ text, index, checks, files }));
  const findings = findLeftovers(files, request.chunk?.files);
  const failed = criteria.filter((criterion) => criterion.result === "fail");
  const blocking = findings.filter((finding) => finding.severity === "blocking");
  const good = failed.length === 0 && blocking.length === 0 && files.length > 0;
  return {
    v: 1,
    job: request.job,
    commit: request.commit,
    result: good ? "pass" : "fail",
    criteria,
    findings,
    files_reviewed: files.map((file) => file.path),
    summary: good
      ? `All ${criteria.length} criteria are implemented and tested in the ${files.length} files that changed.`
      : `${failed.length} of ${criteria.length} criteria are not met; ${blocking.length} blocking findings.`,
    ...(request.role === "final-review" ? { chunks: blameChunks(request.plan, failed, blocking) } : {}),
  };
}

function judge({ text, index, checks, files }) {
  const implementation = findImplementation(text, files);
  const tests = [...(index < checks ? [{ check: index }] : []), ...findTests(text, files)];
  if (implementation.missing.length === 0 && tests.length > 0) {
    return { criterion: index, result: "pass", implementation: implementation.evidence, tests };
  }
  const missing = implementation.missing.map((name) => `\`${name}\``).join(", ");
  return {
    criterion: index,
    result: "fail",
    expected: text,
    found:
      missing === ""
        ? "No test of the change names and asserts this, so nobody knows whether it holds."
        : `The change never mentions ${missing} outside of tests and comments.`,
    where: findNearest(text, files),
  };
}

/** The changed files as they are now; deleted and binary ones have nothing to quote. */
async function loadFiles(tree, changed) {
  const files = [];
  for (const [file, added] of changed) {
    if (file.startsWith(".taskfleet/")) continue;
    const text = await readFile(path.join(tree, file), "utf8").catch(() => null);
    if (text === null || text.includes("\0")) continue;
    files.push({ path: file, lines: text.split("\n"), added, test: /(?:^|\/)tests?\//.test(file) });
  }
  return files;
}

function countAcceptanceChecks({ plan }) {
  return (plan?.acceptance ?? []).filter((item) => item.kind === "check").length;
}

/** Chunks whose files or words the failures are about. */
function blameChunks(plan, failed, blocking) {
  const spoken = failed.map((criterion) => criterion.expected).join(" ");
  const paths = [...failed, ...blocking].flatMap((entry) => entry.where?.path ?? []);
  return (plan?.chunks ?? [])
    .filter((chunk) => chunk.files_touched.some((file) => paths.includes(file)) || spoken.includes(`\`${chunk.id}\``))
    .map((chunk) => chunk.id);
}
