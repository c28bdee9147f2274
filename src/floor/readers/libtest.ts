/**
 * What `cargo test 2>&1` prints: `Running …` names the target, `running N tests` announces them, one
 * line a test, `test result:` closes (doc.rust-lang.org/rustc/tests). libtest's JSON is unstable.
 */
import type { TestCase, TestReport } from "../../contracts/captures.ts";
import { cleanName, cutMessage } from "./report-source.ts";

const runningTarget = /^\s+Running (?:(unittests) )?(\S+) \((?:\S*[/\\])?([A-Za-z0-9_-]+?)-[0-9a-f]{16}(?:\.exe)?\)$/u;
const docTarget = /^\s+Doc-tests (\S+)$/u;
const testLine = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, .*)?$/u;
const closing =
  /^test result: (?:ok|FAILED)\. ([0-9]+) passed; ([0-9]+) failed; ([0-9]+) ignored; ([0-9]+) measured; ([0-9]+) filtered out/u;
// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/gu;

interface Target {
  readonly package: string;
  readonly kind: string;
  readonly target: string;
}

export function readLibtest(text: string): TestReport {
  const problems: string[] = [];
  const cases: TestCase[] = [];
  const messages = new Map<string, string>();
  let target: Target | null = null as Target | null;
  let announced = 0;
  let open: { readonly announced: number; readonly from: number } | null = null as {
    readonly announced: number;
    readonly from: number;
  } | null;
  let failing: string | null = null;
  let sections = 0;
  for (const raw of text.split("\n")) {
    const line = raw.replaceAll(colours, "").trimEnd();
    target = parseTarget(line) ?? target;
    const begin = /^running ([0-9]+) tests?$/u.exec(line);
    if (begin !== null) {
      if (open !== null) problems.push("a target has no result: it crashed, or the report is cut off");
      open = { announced: Number(begin[1]), from: cases.length };
      announced += open.announced;
      sections += 1;
      continue;
    }
    const test = testLine.exec(line);
    if (test !== null && open !== null) {
      cases.push({
        ...(target ?? unknownTarget),
        name: cleanName(test[1] ?? ""),
        status: statuses[test[2] ?? ""] ?? "failed",
      });
      continue;
    }
    const end = closing.exec(line);
    if (end !== null && open !== null) {
      problems.push(...checkSection(end, cases.length - open.from));
      open = null;
      failing = null;
      continue;
    }
    const section = /^---- (.+) stdout ----$/u.exec(line);
    if (section !== null) failing = `${formatTarget(target)}${section[1] ?? ""}`;
    else if (failing !== null && /^(?:failures:|test result:)/u.test(line)) failing = null;
    else if (failing !== null) messages.set(failing, `${messages.get(failing) ?? ""}${line}\n`.slice(0, 5000));
  }
  if (open !== null) problems.push("the last target has no result: it crashed, or the report is cut off");
  if (sections === 0) problems.push("no test run found");
  return { problems: problems.slice(0, 100), announced, cases: cases.map((test) => addMessage(test, messages)) };
}

function parseTarget(line: string): Target | null {
  const running = runningTarget.exec(line);
  if (running !== null) {
    const [, unit, file = "", binary = ""] = running;
    return {
      package: unit === undefined ? "" : binary,
      kind: unit === undefined ? "test" : "unit",
      target: file.replaceAll("\\", "/"),
    };
  }
  const doc = docTarget.exec(line);
  return doc === null ? null : { package: doc[1] ?? "", kind: "doc", target: doc[1] ?? "" };
}

const unknownTarget: Target = { package: "", kind: "test", target: "" };
const statuses: Readonly<Record<string, TestCase["status"]>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

function checkSection(end: RegExpExecArray, read: number): readonly string[] {
  const [passed, failed, ignored, measured, filtered] = end.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const problems: string[] = [];
  const total = passed + failed + ignored + measured;
  if (total !== read) problems.push(`a target counts ${total} tests and shows ${read}`);
  if (filtered > 0) problems.push(`${filtered} tests were filtered out`);
  return problems;
}

function formatTarget(target: Target | null): string {
  return `${target?.kind ?? ""}\0${target?.target ?? ""}\0`;
}

function addMessage(test: TestCase, messages: ReadonlyMap<string, string>): TestCase {
  const message = test.status === "failed" ? messages.get(`${formatTarget(test)}${test.name}`) : undefined;
  return message === undefined ? test : { ...test, message: cutMessage(message.trim()) };
}
