/**
 * JUnit XML in its dialects (surefire, pytest, jest-junit, vitest, mocha, gotestsum, nextest,
 * node:test, googletest). There is no standard; what is common: testsuites > testsuite* > testcase.
 */
import type { TestCase, TestReport } from "../../contracts/captures.ts";
import { walkXml, type XmlAttributes } from "./read-xml.ts";
import { cleanName, cutMessage, parseLine, relativizePath, type ReportSource } from "./report-source.ts";

interface Suite {
  readonly name: string;
  readonly file: string;
  readonly package: string;
  readonly announced: number | null;
  /** Test cases anywhere inside. */
  cases: number;
  /** Direct children: cases and suites. */
  children: number;
  /** Failed cases anywhere inside. */
  failed: number;
}

interface OpenCase {
  readonly attributes: XmlAttributes;
  status: TestCase["status"];
  todo: boolean;
  message: string;
}

/** Suites that only name the runner. */
const runnerSuites: ReadonlySet<string> = new Set([
  "pytest",
  "jest tests",
  "vitest tests",
  "Mocha Tests",
  "Root Suite",
]);

export function readJunit(text: string, source: ReportSource): TestReport {
  const reader = new JunitReader(source);
  const problem = walkXml(text, reader);
  return reader.finish(problem);
}

class JunitReader {
  readonly #source: ReportSource;
  readonly #cases: TestCase[] = [];
  readonly #problems: string[] = [];
  readonly #suites: Suite[] = [];
  #case: OpenCase | null = null;
  #inMessage = false;
  #depth = 0;
  #root: string | null = null;
  #rootAnnounced: number | null = null;
  #suiteTotal: number | null = 0;
  #failedCases = 0;
  #failedSuites = 0;
  #countedFailures = 0;
  #rootSkipped = 0;
  readonly #short: Array<{ readonly name: string; readonly announced: number; readonly cases: number }> = [];

  constructor(source: ReportSource) {
    this.#source = source;
  }

  readonly open = (name: string, attributes: XmlAttributes): void => {
    this.#depth += 1;
    if (this.#depth === 1) {
      this.#root = name;
      if (name === "testsuites") this.#rootAnnounced = parseCount(attributes["tests"]);
      this.#rootSkipped = parseCount(attributes["skipped"]) ?? 0;
    }
    if (name === "testsuite") this.#openSuite(attributes);
    else if (name === "testcase") this.#openCase(attributes);
    else if (this.#case !== null) this.#openOutcome(this.#case, name, attributes);
  };

  readonly text = (text: string): void => {
    if (!this.#inMessage || this.#case === null || this.#case.message.length > 4000) return;
    this.#case.message += text.slice(0, 4000);
  };

  readonly close = (name: string): void => {
    this.#depth -= 1;
    if (name === "testsuite") this.#closeSuite();
    else if (name === "testcase") this.#closeCase();
    else if (name === "failure" || name === "error") this.#inMessage = false;
  };

  /** node:test closes with its counts as comments; they know failures that no element shows. */
  readonly comment = (text: string): void => {
    const match = /^ (?:fail|cancelled) ([0-9]{1,9}) $/u.exec(text);
    if (match !== null && this.#depth === 1) this.#countedFailures += Number(match[1]);
  };

  finish(problem: string | null): TestReport {
    if (problem !== null) this.#problems.unshift(`not well-formed XML: ${problem}`);
    else if (this.#root !== "testsuites" && this.#root !== "testsuite")
      this.#problems.unshift(`no JUnit report: the root element is ${JSON.stringify(this.#root)}`);
    const unlisted = this.#countUnlisted();
    if (unlisted === 0)
      for (const { name, announced, cases } of this.#short)
        this.#problems.push(`the suite "${name}" announces ${announced} tests and holds ${cases}`);
    // A test with subtests is written as a suite, and its own failure is not written at all.
    if (this.#countedFailures > this.#failedCases + this.#failedSuites)
      this.#problems.push(
        `the runner counts ${this.#countedFailures} failures and the report shows ${this.#failedCases}: a test with subtests failed by itself`,
      );
    return {
      problems: this.#problems.slice(0, 100).map((text) => text.slice(0, 1000)),
      announced: this.#rootAnnounced === null ? this.#suiteTotal : this.#rootAnnounced - unlisted,
      cases: this.#cases,
    };
  }

  /** mocha-junit-reporter counts skipped tests and does not list them: their number, when that explains all that is short. */
  #countUnlisted(): number {
    const short = this.#short.reduce((sum, suite) => sum + suite.announced - suite.cases, 0);
    const listed = this.#cases.some((test) => test.status === "skipped");
    return !listed && short === this.#rootSkipped ? short : 0;
  }

  #openSuite(attributes: XmlAttributes): void {
    const parent = this.#suites.at(-1);
    if (parent !== undefined) parent.children += 1;
    this.#suites.push({
      name: cleanName(attributes["name"] ?? ""),
      file: attributes["file"] ?? parent?.file ?? "",
      package: cleanName(attributes["package"] ?? parent?.package ?? ""),
      announced: parseCount(attributes["tests"]),
      cases: 0,
      children: 0,
      failed: 0,
    });
  }

  #closeSuite(): void {
    const suite = this.#suites.pop();
    if (suite === undefined) return;
    const parent = this.#suites.at(-1);
    if (parent !== undefined) {
      parent.cases += suite.cases;
      parent.failed += suite.failed;
    }
    if (suite.failed > 0) this.#failedSuites += 1;
    // node:test counts the direct children of a suite, the others all tests in it.
    if (suite.announced !== null && suite.announced !== suite.cases && suite.announced !== suite.children)
      this.#short.push({ name: suite.name, announced: suite.announced, cases: suite.cases });
    if (parent !== undefined || this.#suiteTotal === null) return;
    this.#suiteTotal = suite.announced === null ? null : this.#suiteTotal + suite.cases;
  }

  #openCase(attributes: XmlAttributes): void {
    const parent = this.#suites.at(-1);
    if (parent !== undefined) {
      parent.children += 1;
      parent.cases += 1;
    } else this.#suiteTotal = null;
    if (attributes["name"] === undefined) this.#problems.push("a test case has no name");
    const notRun = attributes["status"] === "notrun" || attributes["result"] === "suppressed";
    this.#case = { attributes, status: notRun ? "skipped" : "passed", todo: false, message: "" };
  }

  #openOutcome(open: OpenCase, name: string, attributes: XmlAttributes): void {
    if (name === "failure" || name === "error") {
      this.#inMessage = true;
      // node:test writes the failure of a `todo` test beside the mark; such a failure decides nothing.
      if (open.todo) return;
      open.status = "failed";
      if (open.message === "" && attributes["message"] !== undefined) open.message = `${attributes["message"]}\n`;
      this.#inMessage = true;
    } else if ((name === "skipped" || name === "disabled") && open.status === "passed") {
      open.status = "skipped";
      open.todo = attributes["type"] === "todo";
    }
  }

  #closeCase(): void {
    const open = this.#case;
    if (open === null) return;
    this.#case = null;
    this.#inMessage = false;
    const { attributes } = open;
    const suites = this.#suites;
    const file = relativizePath(
      attributes["file"] ?? attributes["filepath"] ?? suites.at(-1)?.file ?? "",
      this.#source,
    );
    const classname = relativizePath(cleanName(attributes["classname"] ?? ""), this.#source);
    const line = readLine(attributes["line"], suites);
    const inner = suites.at(-1);
    if (open.status === "failed") {
      this.#failedCases += 1;
      if (inner !== undefined) inner.failed += 1;
    }
    const name = cleanName(attributes["name"] ?? "");
    // Some reporters repeat the test's name as its class.
    const isClass = classname !== "" && classname !== "test" && !name.endsWith(classname);
    const target = file !== "" ? file : isClass ? classname : (suites[0]?.name ?? "");
    this.#cases.push({
      package: suites.at(-1)?.package ?? "",
      kind: "test",
      target: cleanName(target),
      name: [...listSuiteNames(suites, target), ...listClass(classname, target, name, suites), name].join(" > "),
      status: open.status,
      ...(open.message === "" ? {} : { message: cutMessage(open.message.trim()) }),
      ...(file === "" ? {} : { path: file }),
      ...(line === undefined || file === "" ? {} : { line }),
    });
  }
}

/** Suites around a test belong to its name, unless they repeat the target or name the runner. */
function listSuiteNames(suites: readonly Suite[], target: string): readonly string[] {
  return suites
    .map((suite) => suite.name)
    .filter((name) => name !== "" && name !== target && !target.endsWith(`/${name}`) && !name.endsWith(`/${target}`))
    .filter((name) => !runnerSuites.has(name));
}

/** A class beside a file (pytest's xunit1) is part of the name, without the module that repeats the file. */
function listClass(classname: string, target: string, name: string, suites: readonly Suite[]): readonly string[] {
  if (classname === "" || classname === "test" || classname === target) return [];
  if (name.startsWith(classname) || name.endsWith(classname) || classname.endsWith(name)) return [];
  const path = suites.map((suite) => suite.name);
  if (classname === path.join(".") || classname === path.join(" ") || path.includes(classname)) return [];
  const module = target.replace(/\.[A-Za-z]+$/u, "").replaceAll("/", ".");
  if (classname === module) return [];
  return [classname.startsWith(`${module}.`) ? classname.slice(module.length + 1) : classname];
}

/** pytest counts lines from 0 on purpose (github.com/pytest-dev/pytest/pull/2548), editors from 1. */
function readLine(value: string | undefined, suites: readonly Suite[]): number | undefined {
  const isPytest = suites.some((suite) => suite.name === "pytest");
  return parseLine(isPytest && value !== undefined ? Number(value) + 1 : value);
}

function parseCount(value: string | undefined): number | null {
  return value !== undefined && /^[0-9]{1,9}$/u.test(value.trim()) ? Number(value) : null;
}
