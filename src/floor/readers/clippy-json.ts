/** `cargo clippy --message-format=json` (doc.rust-lang.org/cargo/reference/external-tools.html#json-messages). */
import type { LintFinding, LintReport } from "../../contracts/captures.ts";
import { buildFinding } from "./lint-finding.ts";
import { asList, asText, isObject, visitJsonLines, type JsonObject } from "./read-json.ts";
import type { ReportSource } from "./report-source.ts";

export function readClippyJson(text: string, source: ReportSource): LintReport {
  const findings: LintFinding[] = [];
  let finished = false;
  const problems = [
    ...visitJsonLines(text, (entry) => {
      if (entry["reason"] === "build-finished") finished = true;
      if (entry["reason"] !== "compiler-message" || !isObject(entry["message"])) return;
      const finding = readMessage(entry["message"], asText(entry["package_id"]), source);
      if (finding !== null) findings.push(finding);
    }),
  ];
  if (!finished) problems.push("the stream does not end with `build-finished`: it is cut off, or no cargo stream");
  return { problems, findings };
}

function readMessage(message: JsonObject, packageId: string, source: ReportSource): LintFinding | null {
  const level = asText(message["level"]);
  if (!/^(?:warning|error)/u.test(level)) return null;
  const spans = asList(message["spans"]).filter(isObject);
  const span = spans.find((entry) => entry["is_primary"] === true) ?? spans[0];
  // Summaries ("3 warnings emitted") have neither a code nor a place.
  if (span === undefined && !isObject(message["code"])) return null;
  const code = isObject(message["code"]) ? asText(message["code"]["code"]) : level;
  return buildFinding(
    {
      code,
      package: readPackage(packageId),
      path: asText(span?.["file_name"]),
      message: asText(message["message"]),
      line: span?.["line_start"],
    },
    source,
  );
}

/** `path+file:///w/x/crates/api#0.1.0`, `path+file:///w/x#api@0.1.0`, `api 0.1.0 (path+file:///…)` -> `api`. */
function readPackage(id: string): string {
  const old = /^(\S+) \S+ \(/u.exec(id);
  if (old?.[1] !== undefined) return old[1];
  const [location = "", fragment = ""] = id.split("#");
  return fragment.includes("@") ? (fragment.split("@")[0] ?? "") : (location.split("/").at(-1) ?? "");
}
