/** `go test -json`: one event a line (pkg.go.dev/cmd/test2json). */
import type { TestCase, TestReport } from "../../contracts/captures.ts";
import { asText, visitJsonLines } from "./read-json.ts";
import { cleanName, cutMessage } from "./report-source.ts";

interface Running {
  /** A result without a start was printed by a test, not by the runner. */
  started: boolean;
  status: TestCase["status"] | null;
  output: string;
}

export function readGoTestJson(text: string): TestReport {
  const tests = new Map<string, Map<string, Running>>();
  const packages = new Map<string, { ended: boolean; failed: boolean; output: string }>();
  let events = 0;
  const problems = [
    ...visitJsonLines(text, (event) => {
      const name = asText(event["Package"]);
      const action = asText(event["Action"]);
      if (action === "" || name === "") return;
      events += 1;
      const pack = packages.get(name) ?? { ended: false, failed: false, output: "" };
      packages.set(name, pack);
      const test = asText(event["Test"]);
      const result = results[action];
      if (test === "") {
        if (result !== undefined) Object.assign(pack, { ended: true, failed: result === "failed" });
        if (action === "output" && pack.output.length < 4000) pack.output += asText(event["Output"]);
        return;
      }
      const inPackage = tests.get(name) ?? new Map<string, Running>();
      tests.set(name, inPackage);
      const running = inPackage.get(test) ?? { started: false, status: null, output: "" };
      inPackage.set(test, running);
      if (action === "run") running.started = true;
      if (result !== undefined) running.status = result;
      if (action === "output" && running.output.length < 4000) running.output += asText(event["Output"]);
    }),
  ];
  // Go before 1.24 prints what did not build as plain text beside the events.
  for (const match of text.matchAll(/^FAIL\t(\S+) \[(?:build|setup) failed\]/gmu))
    problems.push(`the package ${match[1]} did not build`);
  if (events === 0) problems.push("no test events found");
  const cases = [...tests].flatMap(([name, inPackage]) => listCases(name, inPackage, problems));
  for (const [name, pack] of packages) {
    if (!pack.ended) problems.push(`the package ${name} has no result: the report is cut off`);
    // A package that fails without a failed test did not build, or panicked outside of a test.
    const ownFailure = pack.failed && !cases.some((test) => test.package === name && test.status === "failed");
    if (ownFailure)
      problems.push(`the package ${name} failed without a failed test: ${pack.output.trim().slice(0, 500)}`);
  }
  return { problems: problems.slice(0, 100).map((entry) => entry.slice(0, 1000)), announced: null, cases };
}

const results: Readonly<Record<string, TestCase["status"]>> = { pass: "passed", fail: "failed", skip: "skipped" };

function listCases(name: string, tests: ReadonlyMap<string, Running>, problems: string[]): readonly TestCase[] {
  const parents = new Set<string>();
  for (const test of tests.keys())
    for (let at = test.lastIndexOf("/"); at > 0; at = test.lastIndexOf("/", at - 1)) parents.add(test.slice(0, at));
  return [...tests].flatMap(([test, { started, status, output }]): readonly TestCase[] => {
    if (!started) problems.push(`the test ${test} of ${name} has a result though it never started`);
    if (status === null) {
      problems.push(`the test ${test} of ${name} has no result: it crashed or the report is cut off`);
      return [];
    }
    // A test that only holds subtests is no case of its own, unless it failed.
    if (parents.has(test) && status !== "failed") return [];
    return [
      {
        package: name,
        kind: "test",
        target: name,
        name: cleanName(test),
        status,
        ...(status === "failed" && output !== "" ? { message: cutMessage(output.trim()) } : {}),
      },
    ];
  });
}
