/** docs/plan-rules.md promises every rule with a test: this one compares it with the code and the tests. */
import { describe, expect, it } from "@jest/globals";
import { parser } from "@lezer/javascript";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { lintRules } from "../../src/plan/lint/lint-rules.ts";

const root = path.join(import.meta.dirname, "../..");
const lines = readFileSync(path.join(root, "docs/plan-rules.md"), "utf8").split("\n");
const rows = lines.flatMap((line) => {
  const [, rule, file, test] = /^\| `([a-z-]+)` \| .+? \| `([^`]+)` (.+?) \|$/u.exec(line) ?? [];
  return rule === undefined || file === undefined || test === undefined ? [] : [{ rule, file, test }];
});

const typescript = parser.configure({ dialect: "ts" });
const reporters = /(?:^|\.)(?:add|refuse|refuseAt)$/u;

/** The rules of a source: what is handed to a function that reports, and what stands as `rule`. */
function listRules(source: string): readonly string[] {
  const rules: string[] = [];
  typescript.parse(source).iterate({
    enter: ({ node }) => {
      const text = source.slice(node.from, node.to);
      if (node.name !== "String" || !/^"[a-z]+(?:-[a-z]+)*"$/u.test(text)) return;
      const { parent } = node;
      const isArgument =
        parent?.name === "ArgList" && reporters.test(textOf(parent.parent?.firstChild ?? null, source));
      const isRule = parent?.name === "Property" && textOf(parent.firstChild, source) === "rule";
      if (isArgument || isRule) rules.push(text.slice(1, -1));
    },
  });
  return rules;
}

function textOf(node: { readonly from: number; readonly to: number } | null, source: string): string {
  return node === null ? "" : source.slice(node.from, node.to);
}

/** The calls of `it` of a test file, each with its table and its snapshots. */
function findTests(place: string, title: string): readonly string[] {
  const source = readFileSync(place, "utf8");
  const blocks = source.split(/\n {2}(?=it[.(])/u).filter((block) => block.includes(title));
  const snapshots = path.join(path.dirname(place), "__snapshots__", `${path.basename(place)}.snap`);
  if (blocks.length === 0 || !existsSync(snapshots)) return blocks;
  const parts = title.split("%s");
  const entries = readFileSync(snapshots, "utf8").split("\nexports[");
  return [...blocks, ...entries.filter((entry) => parts.every((part) => entry.split("\n", 1)[0]!.includes(part)))];
}

describe("the table of rules", () => {
  it("has each rule of the code once, and no other", () => {
    const sources = globSync("src/{plan,cli/plan}/**/*.ts", { cwd: root });
    const known = new Set(sources.flatMap((file) => listRules(readFileSync(path.join(root, file), "utf8"))));
    expect(rows.map(({ rule }) => rule).toSorted()).toEqual([...known].toSorted());
    expect(rows).toHaveLength(lines.filter((line) => line.startsWith("| `")).length);
    expect(Object.keys(lintRules).filter((rule) => !known.has(rule))).toEqual([]);
  });

  it.each(rows)("$rule: $file has a test that is about it: $test", ({ rule, file, test }) => {
    const tests = findTests(path.join(root, "test", `${file}.test.ts`), test);
    expect(tests.filter((text) => new RegExp(`(?<![\\w-])${rule}(?![\\w-])`, "u").test(text))).not.toEqual([]);
  });
});
