/** SARIF 2.1.0 (docs.oasis-open.org/sarif): results of every run, without suppressed and passing ones. */
import type { LintFinding, LintReport } from "../../contracts/captures.ts";
import { buildFinding } from "./lint-finding.ts";
import { asList, asText, isObject, parseJson, type JsonObject } from "./read-json.ts";
import type { ReportSource } from "./report-source.ts";

export function readSarif(text: string, source: ReportSource): LintReport {
  const parsed = parseJson(text);
  if ("problem" in parsed) return { problems: [parsed.problem], findings: [] };
  const root = parsed.value;
  if (!isObject(root) || !Array.isArray(root["runs"]))
    return { problems: ["no SARIF report: `runs` is missing"], findings: [] };
  if (!asText(root["version"]).startsWith("2.1."))
    return { problems: [`SARIF ${JSON.stringify(root["version"])} is not known; 2.1.0 is`], findings: [] };
  const problems: string[] = [];
  const findings = root["runs"].flatMap((run: unknown) => (isObject(run) ? readRun(run, source, problems) : []));
  return { problems: problems.slice(0, 100), findings };
}

function readRun(run: JsonObject, source: ReportSource, problems: string[]): readonly LintFinding[] {
  for (const invocation of asList(run["invocations"]))
    if (isObject(invocation) && invocation["executionSuccessful"] === false)
      problems.push("the tool says that its run was not successful");
  // `results: null` means that the tool could not run; an absent list likewise says nothing.
  if (!Array.isArray(run["results"])) {
    problems.push("a run has no list of results");
    return [];
  }
  const tool = isObject(run["tool"]) && isObject(run["tool"]["driver"]) ? asText(run["tool"]["driver"]["name"]) : "";
  const bases = isObject(run["originalUriBaseIds"]) ? run["originalUriBaseIds"] : {};
  return run["results"].flatMap((result: unknown): readonly LintFinding[] => {
    if (!isObject(result) || isQuiet(result)) return [];
    const place = readPlace(result, bases);
    const message = isObject(result["message"]) ? result["message"] : {};
    const text = asText(message["text"]) || asText(message["markdown"]) || asText(message["id"]);
    return [
      buildFinding(
        {
          code: asText(result["ruleId"]) || readRuleId(result),
          package: tool,
          path: place.path,
          message: text,
          line: place.line,
        },
        source,
      ),
    ];
  });
}

function readRuleId(result: JsonObject): string {
  return isObject(result["rule"]) ? asText(result["rule"]["id"]) : "";
}

function isQuiet(result: JsonObject): boolean {
  const kind = asText(result["kind"]) || "fail";
  const accepted = asList(result["suppressions"]).some(
    (entry) => !isObject(entry) || (entry["status"] ?? "accepted") === "accepted",
  );
  return accepted || kind === "pass" || kind === "notApplicable" || kind === "informational";
}

function readPlace(result: JsonObject, bases: JsonObject): { readonly path: string; readonly line: unknown } {
  const [location] = asList(result["locations"]);
  const physical = isObject(location) ? location["physicalLocation"] : null;
  if (!isObject(physical)) return { path: "", line: undefined };
  const artifact = isObject(physical["artifactLocation"]) ? physical["artifactLocation"] : {};
  const base = bases[asText(artifact["uriBaseId"])];
  const folder = isObject(base) ? asText(base["uri"]) : "";
  const uri = asText(artifact["uri"]);
  const path = /^[a-z][a-z0-9+.-]*:/iu.test(uri) ? uri : `${folder}${uri}`;
  const region = physical["region"];
  return { path: decodeUri(path), line: isObject(region) ? region["startLine"] : undefined };
}

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
