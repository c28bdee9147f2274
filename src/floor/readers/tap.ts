/**
 * The Test Anything Protocol 13 and 14 (testanything.org), with subtests as node:test, Perl and
 * node-tap write them: indented by four blanks before their parent's line, or in braces after it.
 */
import type { TestCase, TestReport } from "../../contracts/captures.ts";
import { cleanName, cutMessage, parseLine, relativizePath, type ReportSource } from "./report-source.ts";

interface Level {
  plan: number | null;
  points: number;
  /** Leaves read on this level and below. */
  cases: TestCase[];
}

const pointPattern = /^(not )?ok\b(?:\s+([0-9]+))?(?:\s*-?\s*(.*))?$/u;
const planPattern = /^1\.\.([0-9]+)(?:\s*#\s*(.*))?$/u;
const directivePattern = /\s#\s*(SKIP|TODO)\b\S*\s*(.*)$/iu;

export function readTap(text: string, source: ReportSource): TestReport {
  return new TapReader(source).read(text);
}

class TapReader {
  readonly #source: ReportSource;
  readonly #problems: string[] = [];
  #levels: Level[] = [newLevel()];
  #deficit = 0;
  #sawVersion = false;
  /** The case the next YAML block belongs to, and that block. */
  #last: { readonly cases: TestCase[]; readonly index: number; readonly depth: number } | null = null;
  #yaml: { readonly indent: number; lines: string[] } | null = null;
  /** Depths at which a braced block is open. */
  readonly #braces: Array<{ readonly depth: number; readonly point: PendingPoint }> = [];

  constructor(source: ReportSource) {
    this.#source = source;
  }

  read(text: string): TestReport {
    let start = text.startsWith("\u{FEFF}") ? 1 : 0;
    while (start < text.length) {
      const end = text.indexOf("\n", start);
      const stop = end === -1 ? text.length : end;
      this.#readLine(text.slice(start, text[stop - 1] === "\r" ? stop - 1 : stop));
      start = stop + 1;
    }
    return this.#finish();
  }

  #readLine(line: string): void {
    if (this.#yaml !== null) {
      this.#readYaml(line);
      return;
    }
    const content = line.trimStart();
    const indent = line.length - content.length;
    if (content === "") return;
    if (content.startsWith("---") && this.#last !== null && indent > this.#last.depth * 4) {
      this.#yaml = { indent, lines: [] };
      return;
    }
    if (indent % 4 !== 0) return;
    const depth = indent / 4;
    if (content === "}" && this.#braces.at(-1)?.depth === depth) {
      const brace = this.#braces.pop();
      if (brace !== undefined) this.#closePoint(brace.depth, brace.point);
      return;
    }
    this.#readContent(content, depth);
  }

  #readContent(content: string, depth: number): void {
    if (/^TAP version [0-9]+$/iu.test(content)) {
      if (depth === 0) this.#sawVersion = true;
      return;
    }
    if (/^Bail out!/iu.test(content)) {
      this.#problems.push(`the run bailed out: ${content.slice(9).trim() || "no reason given"}`);
      return;
    }
    const plan = planPattern.exec(content);
    if (plan !== null) {
      const level = this.#enter(depth);
      if (level.plan !== null) this.#problems.push("a level has two plans");
      level.plan = Number(plan[1]);
      return;
    }
    const point = pointPattern.exec(content);
    if (point !== null) this.#readPoint(point, depth);
  }

  #readPoint(match: RegExpExecArray, depth: number): void {
    const failed = match[1] !== undefined;
    let description = match[3] ?? "";
    const opens = /(?:^|\s)\{$/u.test(description);
    if (opens) description = description.replace(/\s*\{$/u, "");
    const directive = directivePattern.exec(` ${description}`);
    if (directive !== null) description = ` ${description}`.slice(0, directive.index);
    description = description.replace(/\s# time=[0-9.]+m?s$/u, "");
    const todo = directive?.[1]?.toUpperCase() === "TODO";
    const skipped = directive !== null && (!todo || failed);
    const point: PendingPoint = {
      name: cleanName(unescape(description)),
      status: skipped ? "skipped" : failed ? "failed" : "passed",
    };
    if (opens) {
      this.#enter(depth);
      this.#braces.push({ depth, point });
      return;
    }
    this.#closePoint(depth, point);
  }

  /** A point ends the deeper level before it: those were its subtests. */
  #closePoint(depth: number, point: PendingPoint): void {
    const level = this.#enter(depth);
    level.points += 1;
    if (this.#levels.length > depth + 2) this.#problems.push("subtests do not end: the report is not complete");
    const child = this.#levels[depth + 1];
    this.#levels = this.#levels.slice(0, depth + 1);
    const prefixed = child === undefined ? [] : this.#closeLevel(child, point.name);
    const childFailed = prefixed.some((test) => test.status === "failed");
    for (const test of prefixed) level.cases.push(test);
    // A parent is no test of its own, unless it failed by itself (a hook, its own assertion).
    if (prefixed.length > 0 && (point.status !== "failed" || childFailed)) {
      this.#last = null;
      return;
    }
    level.cases.push({ package: "", kind: "test", target: "", name: point.name, status: point.status });
    this.#last = { cases: level.cases, index: level.cases.length - 1, depth };
  }

  #closeLevel(level: Level, parent: string): readonly TestCase[] {
    this.#checkPlan(level, parent);
    return level.cases.map((test) => ({ ...test, name: cleanName(`${parent} > ${test.name}`) }));
  }

  #checkPlan(level: Level, where: string): void {
    if (level.plan === null) this.#problems.push(`${where} has no plan (1..N): the report is cut off`);
    else if (level.plan !== level.points) {
      this.#deficit += level.plan - level.points;
      this.#problems.push(`${where} announces ${level.plan} tests and holds ${level.points}`);
    }
  }

  #enter(depth: number): Level {
    while (this.#levels.length <= depth) this.#levels.push(newLevel());
    return this.#levels[depth] ?? newLevel();
  }

  #readYaml(line: string): void {
    const block = this.#yaml;
    if (block === null) return;
    if (line.trim() === "..." && line.length - line.trimStart().length === block.indent) {
      this.#yaml = null;
      this.#describe(block.lines);
      return;
    }
    if (block.lines.length < 200) block.lines.push(line.slice(block.indent));
  }

  /** Takes message and place out of a diagnostic block: flat `key: value` lines, as the producers write them. */
  #describe(lines: readonly string[]): void {
    const last = this.#last;
    const test = last?.cases[last.index];
    if (last === null || test === undefined) return;
    const at = lines.findIndex((line) => /^(?:error|message):/u.test(line));
    const location = readField(lines, "location") ?? "";
    const place = /^(.*?):([0-9]+)(?::[0-9]+)?$/u.exec(location);
    const file = place?.[1] ?? readField(lines, "file");
    const line = parseLine(place?.[2] ?? readField(lines, "line"));
    const path = file === undefined || file === "" ? undefined : relativizePath(file, this.#source);
    last.cases[last.index] = {
      ...test,
      ...(test.status === "failed" ? { message: cutMessage(lines.slice(Math.max(at, 0)).join("\n").trim()) } : {}),
      ...(path === undefined ? {} : { path }),
      ...(path === undefined || line === undefined ? {} : { line }),
    };
  }

  #finish(): TestReport {
    const [top = newLevel(), open] = this.#levels;
    if (this.#yaml !== null) this.#problems.push("a diagnostic block does not end: the report is cut off");
    if (open !== undefined || this.#braces.length > 0)
      this.#problems.push("subtests do not end: the report is cut off");
    if (!this.#sawVersion && top.plan === null && top.points === 0) this.#problems.push("no TAP found");
    else this.#checkPlan(top, "the report");
    return {
      problems: this.#problems.slice(0, 100).map((text) => text.slice(0, 1000)),
      announced: top.plan === null ? null : top.cases.length + this.#deficit,
      cases: top.cases,
    };
  }
}

interface PendingPoint {
  readonly name: string;
  readonly status: TestCase["status"];
}

function newLevel(): Level {
  return { plan: null, points: 0, cases: [] };
}

/** `\#` and `\\` stand for themselves in descriptions (TAP 14). */
function unescape(description: string): string {
  return description.replaceAll(/\\([#\\])/gu, "$1");
}

function readField(lines: readonly string[], key: string): string | undefined {
  const found = lines.find((line) => line.startsWith(`${key}:`));
  return found
    ?.slice(key.length + 1)
    .trim()
    .replace(/^(['"])(.*)\1$/u, "$2");
}
