/** `jest --json` and `vitest --reporter=json`, which writes the same form. */
import type { TestCase, TestReport } from "../../contracts/captures.ts";
import { asList, asText, isObject, parseJson, type JsonObject } from "./read-json.ts";
import { cleanName, cutMessage, parseLine, relativizePath, type ReportSource } from "./report-source.ts";

export function readJestJson(text: string, source: ReportSource): TestReport {
  const parsed = parseJson(text);
  if ("problem" in parsed) return { problems: [parsed.problem], announced: null, cases: [] };
  const root = parsed.value;
  if (!isObject(root) || !Array.isArray(root["testResults"]))
    return { problems: ["no jest report: `testResults` is missing"], announced: null, cases: [] };
  const problems: string[] = [];
  const cases = root["testResults"].flatMap((file: unknown) => readFile(file, source, problems));
  if (root["wasInterrupted"] === true) problems.push("the run was interrupted");
  const total = root["numTotalTests"];
  return {
    problems: problems.slice(0, 100).map((entry) => entry.slice(0, 1000)),
    announced: typeof total === "number" && Number.isSafeInteger(total) && total >= 0 ? total : null,
    cases,
  };
}

function readFile(file: unknown, source: ReportSource, problems: string[]): readonly TestCase[] {
  if (!isObject(file)) {
    problems.push("an entry of `testResults` is no object");
    return [];
  }
  const path = relativizePath(asText(file["name"]), source);
  const tests = asList(file["assertionResults"]);
  if (file["status"] === "failed" && !tests.some((test) => isObject(test) && test["status"] === "failed"))
    problems.push(`${path} failed without a failed test: ${asText(file["message"]).trim().slice(0, 500)}`);
  return tests.flatMap((test) => {
    if (isObject(test)) return [readCase(test, path, problems)];
    problems.push(`a test of ${path} is no object`);
    return [];
  });
}

function readCase(test: JsonObject, path: string, problems: string[]): TestCase {
  const parts = [...asList(test["ancestorTitles"]).map(asText), asText(test["title"])].map(cleanName);
  const status = asText(test["status"]);
  const known = statuses[status];
  if (known === undefined) problems.push(`a test of ${path} has the unknown status ${JSON.stringify(status)}`);
  const message = asList(test["failureMessages"]).map(asText).join("\n").trim();
  const location = test["location"];
  const line = isObject(location) ? parseLine(location["line"]) : undefined;
  return {
    package: "",
    kind: "test",
    target: path,
    name: parts.filter((part) => part !== "").join(" > "),
    status: known ?? "failed",
    path,
    ...(message === "" ? {} : { message: cutMessage(message) }),
    ...(line === undefined ? {} : { line }),
  };
}

const statuses: Readonly<Record<string, TestCase["status"]>> = {
  passed: "passed",
  failed: "failed",
  pending: "skipped",
  skipped: "skipped",
  todo: "skipped",
  disabled: "skipped",
};
