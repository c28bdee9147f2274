import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { Nodes } from "mdast";
import type { Plan } from "../../src/contracts/plan.ts";
import { compileExecutionPlan } from "../../src/plan/compile/compile-execution-plan.ts";
import type { PlanNotes } from "../../src/plan/render/plan-notes.ts";
import { renderExecutionPlan } from "../../src/plan/render/render-execution-plan.ts";
import { renderMermaid, shorten } from "../../src/plan/render/render-mermaid.ts";
import { renderPlanMarkdown } from "../../src/plan/render/render-plan-markdown.ts";
import { planArbitrary } from "./arbitrary-plan.ts";
import { buildContext } from "./build-context.ts";
import { buildChunk, buildPlanOf, buildValidPlan } from "./build-valid-plan.ts";

const evil =
  'a "b" `c` | <script>alert(1)</script> #1 @octocat <!-- hidden --> [x](http://y.example) ![i](http://z.example) **bold**';

const notes: PlanNotes = {
  title: "Todos",
  goal: "People keep a list.",
  requirements: [
    { text: "a list", chunks: ["store", "api"] },
    { text: "undo", chunks: [] },
  ],
  decisions: [{ choice: "SQLite", why: "one file" }],
  unassignable: [{ chunk: "api", reason: "nobody knows HTTP" }],
  open_questions: ["Which browsers?"],
  checklist: [{ item: "layers", where: "store" }, { item: "endpoints", why_not: "no HTTP" }, { item: "errors" }],
  checkpoints: [{ after: "store", reason: "the schema" }],
  api_contract: "### GET /todos\n\n200 with a list",
  security: "Input is untrusted.",
  user_flows: "Click, see.",
  external_dependencies: "None.",
  taskBrief: {
    type: "fullstack",
    complexity: "low",
    inferred: {},
    explicit_requirements: ["a list"],
    implicit_requirements: [],
    ambiguities: ["which browser"],
    out_of_scope: ["sharing"],
  },
  assignments: { store: "backend" },
  warnings: [{ pointer: "", rule: "many-files", message: "too many | files" }],
  hash: "0123456789abcdef0123",
};

function collectKinds(markdown: string): Map<string, number> {
  const kinds = new Map<string, number>();
  const stack: Nodes[] = [fromMarkdown(markdown)];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    kinds.set(node.type, (kinds.get(node.type) ?? 0) + 1);
    if ("children" in node) stack.push(...node.children);
  }
  return kinds;
}

describe("plan.md", () => {
  it("has the sections that are known, and no others", () => {
    const bare = renderPlanMarkdown(buildValidPlan());
    expect(bare.match(/^##? .*/gm)).toEqual([
      "# Plan: todo",
      "## Graph",
      "## Overview",
      "## Execution blocks",
      "## Acceptance",
    ]);
    const full = renderPlanMarkdown(buildValidPlan(), {
      ...notes,
      executionPlan: compileExecutionPlan(buildValidPlan(), buildContext()),
    });
    expect(full.match(/^## .*/gm)).toEqual([
      "## Goal",
      "## Requirements",
      "## Task",
      "## Architecture decisions",
      "## Graph",
      "## Overview",
      "## Execution blocks",
      "## Acceptance",
      "## Unassignable blocks",
      "## Open questions",
      "## API contract",
      "## Security considerations",
      "## User flows",
      "## External dependencies",
      "## Checkpoints",
      "## Warnings",
      "## Who builds it",
      "## Pre-flight checklist",
    ]);
  });

  it("reads like this", () => {
    const plan = buildValidPlan();
    const check = { desc: "it refuses nonsense", run: "./try `x`", cwd: "scripts", expect_exit: 2 };
    const chunks = [
      { ...plan.chunks[0]!, requires_tests: true, assertions: ["order is kept"] },
      { ...plan.chunks[1]!, checks: [check] },
    ];
    const acceptance = [...plan.acceptance, { kind: "check" as const, ...check }];
    const executionPlan = compileExecutionPlan(plan, buildContext());
    expect(renderPlanMarkdown({ ...plan, chunks, acceptance }, { ...notes, executionPlan })).toMatchSnapshot();
  });

  it("stays whole whatever a planner writes", () => {
    const plan = buildPlanOf(
      buildChunk("a", {
        title: evil,
        brief: `${evil}\n\`\`\`\n# fake\n`,
        assertions: [evil],
        checks: [{ desc: evil, run: evil, cwd: "a b" }],
        files_touched: ["x`|y.ts"],
      }),
      buildChunk("b", { deps: ["a"] }),
    );
    const tame = buildPlanOf(
      buildChunk("a", {
        title: "t",
        brief: "b",
        assertions: ["x"],
        checks: [{ desc: "d", run: "r", cwd: "c" }],
        files_touched: ["f.ts"],
      }),
      buildChunk("b", { deps: ["a"] }),
    );
    const evilNotes: PlanNotes = {
      ...notes,
      title: evil,
      goal: evil,
      decisions: [{ choice: evil, why: evil }],
      open_questions: [evil],
      api_contract: "```\n<b>\n@x",
      assignments: { a: evil },
    };
    const markdown = renderPlanMarkdown(plan, evilNotes);
    expect(collectKinds(markdown)).toEqual(
      collectKinds(
        renderPlanMarkdown(tame, { ...notes, decisions: [{ choice: "x", why: "y" }], assignments: { a: "x" } }),
      ),
    );
    const outsideCode = markdown
      .replaceAll(/(`{3,})[^\n]*\n[\s\S]*?\n\1/g, "")
      .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
    expect(outsideCode).not.toMatch(/<script|<!--|@octocat|#1\b|http:\/\/|\n# fake/);
  });

  it("keeps its tables whole whatever the plan", () => {
    fc.assert(
      fc.property(planArbitrary, (plan) => {
        const table = /## Overview\n\n([\s\S]*?)\n\n/.exec(renderPlanMarkdown(plan))![1]!.split("\n");
        expect(table).toHaveLength(plan.chunks.length + 2);
        for (const row of table) expect(row.replaceAll("\\|", "").match(/\|/g)).toHaveLength(8);
      }),
    );
  });

  it("names several of a kind in one line", () => {
    const plan = buildValidPlan();
    const wired = { ...plan, chunks: [...plan.chunks, buildChunk("wire", { deps: ["store", "api"] })] };
    const requirements = [{ text: "all of it", chunks: ["wire", "api", "gone"] }];
    const text = renderPlanMarkdown(wired, { requirements });
    expect(text).toContain("- **Depends on:** block 1 (`store`), block 2 (`api`)\n");
    expect(text).toContain("| 3 | `wire` | Build wire | `store`, `api` | mid | 2 | – |\n");
    expect(text).toContain("1. all of it → block 3 (`wire`), block 2 (`api`), `gone`\n");
  });

  it("folds the blocks of a long plan", () => {
    const chunks = Array.from({ length: 13 }, (_, index) => buildChunk(`c${index}`, { title: `T${index} <b> *x*` }));
    const long = renderPlanMarkdown(buildPlanOf(...chunks));
    expect(long.match(/<details><summary>Block \d+: T\d+ &lt;b&gt; \*x\*<\/summary>/g)).toHaveLength(13);
    expect(renderPlanMarkdown(buildPlanOf(...chunks.slice(1)))).not.toContain("<details>");
  });
});

describe("a shortened plan", () => {
  const chunks = Array.from({ length: 200 }, (_, index) =>
    buildChunk(`chunk-${index}`, {
      deps: index === 0 ? [] : [`chunk-${index >> 1}`].filter((id) => id !== `chunk-${index}`),
    }),
  );
  const plan = buildPlanOf(...chunks);
  const link = "https://github.example/o/r/blob/x/plan.md";

  it("fits, and says where the rest is", () => {
    for (const characters of [60_000, 30_000, 3000, 500, 120]) {
      const text = renderPlanMarkdown(plan, notes, { characters, link });
      expect(text.length).toBeLessThanOrEqual(characters);
      expect(text).toContain(`[plan.md](${link})`);
    }
    const text = renderPlanMarkdown(plan, notes, { characters: 60_000, link });
    expect(text).toContain("\n\nMore in [plan.md](https://github.example/o/r/blob/x/plan.md): Execution blocks.\n");
    expect(text).toContain("## Overview");
    expect(text).not.toContain("## Execution blocks");
    const asides = { api_contract: "x".repeat(500), user_flows: "y".repeat(500) };
    expect(renderPlanMarkdown(buildValidPlan(), asides, { characters: 1500, link })).toContain(
      `More in [plan.md](${link}): Execution blocks, API contract.\n`,
    );
  });

  it("is the whole one when that fits", () => {
    const whole = renderPlanMarkdown(buildValidPlan(), notes);
    expect(renderPlanMarkdown(buildValidPlan(), notes, { characters: whole.length, link })).toBe(whole);
    expect(renderPlanMarkdown(buildValidPlan(), notes, { characters: whole.length - 1, link })).not.toBe(whole);
  });

  it("is cut hard only when nothing else helps", () => {
    const text = renderPlanMarkdown(
      { ...plan, feature: { ...plan.feature, slug: "\u{1F600}".repeat(300) } },
      {},
      { characters: 200, link },
    );
    expect(text.endsWith(`\n\n… The plan goes on in [plan.md](${link}).\n`)).toBe(true);
    expect(text).toMatch(/^# Plan: \u{1F600}{20,}\n\n…/u);
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThanOrEqual(200);
  });
});

describe("the graph", () => {
  const draw = (plan: Plan, options = {}) => renderMermaid(plan.chunks, options);

  it("has a node for each chunk and an edge for each dep that is not implied", () => {
    const plan = buildPlanOf(
      buildChunk("end", { title: 'Say "hi" | #1;' }),
      buildChunk("b", { deps: ["end"] }),
      buildChunk("c", { deps: ["b", "end"] }),
    );
    expect(draw(plan)).toBe(
      [
        "flowchart LR",
        '  n0["end<br/>Say #34;hi#34; #124; #35;1#59;"]',
        '  n1["b<br/>Build b"]',
        '  n2["c<br/>Build c"]',
        "  n0 --> n1",
        "  n1 --> n2",
      ].join("\n"),
    );
  });

  it("shows states as classes", () => {
    const classes = {
      classOf: (id: string) => (id === "store" ? "landed" : null),
      classDefinitions: { landed: "fill:#cfc" },
    };
    expect(draw(buildValidPlan(), classes).split("\n")).toEqual([
      "flowchart LR",
      '  n0["store<br/>Build store"]:::landed',
      '  n1["api<br/>Build api"]',
      "  n0 --> n1",
      "  classDef landed fill:#cfc",
    ]);
  });

  it("groups more than sixty chunks, or four hundred edges, by stage", () => {
    const many = Array.from({ length: 61 }, (_, index) => buildChunk(`c${index}`, { deps: index < 8 ? [] : ["c0"] }));
    expect(draw(buildPlanOf(...many))).toBe(
      [
        "flowchart LR",
        '  s0["Stage 1, 8 chunks<br/>c0<br/>c1<br/>c2<br/>c3<br/>c4<br/>c5<br/>and 2 more"]',
        '  s1["Stage 2, 53 chunks<br/>c8<br/>c9<br/>c10<br/>c11<br/>c12<br/>c13<br/>and 47 more"]',
        "  s0 --> s1",
      ].join("\n"),
    );
    expect(draw(buildPlanOf(...many.slice(0, 60)))).toContain("n59");
    expect(draw(buildValidPlan(), { maxNodes: 1 })).toContain('s0["Stage 1, 1 chunk<br/>store"]');
    const dense = Array.from({ length: 42 }, (_, index) =>
      buildChunk(`c${index}`, { deps: index < 21 ? [] : Array.from({ length: 20 }, (__, dep) => `c${dep}`) }),
    );
    expect(draw(buildPlanOf(...dense))).toContain("Stage");
    expect(draw(buildPlanOf(...dense.slice(0, 41)))).toContain("n40");
  });

  it("cuts long titles without halving a character", () => {
    expect(shorten("x".repeat(60))).toBe("x".repeat(60));
    expect(shorten("x".repeat(61))).toBe(`${"x".repeat(59)}…`);
    expect(shorten("\u{1F600}".repeat(5), 3)).toBe("\u{1F600}\u{1F600}…");
  });
});

describe("the table of an execution plan", () => {
  it("is cut with a link", () => {
    const chunks = Array.from({ length: 70 }, (_, index) => buildChunk(`c${index}`));
    const plan = compileExecutionPlan(buildPlanOf(...chunks), buildContext());
    const text = renderExecutionPlan(plan, "https://x.example/ep.json");
    expect(text.split("\n").filter((line) => line.startsWith("| `"))).toHaveLength(120);
    expect(text.endsWith("\n\nand 23 more in [the execution plan](https://x.example/ep.json).")).toBe(true);
    expect(renderExecutionPlan(plan).endsWith("and 23 more.")).toBe(true);
    expect(renderExecutionPlan({ ...plan, agents: plan.agents.slice(0, 120) })).not.toContain("more");
  });

  it("names four roles an agent waits for and counts the rest", () => {
    const plan = compileExecutionPlan(
      buildPlanOf(...["a", "b", "c", "d", "e", "f"].map((id) => buildChunk(id))),
      buildContext(),
    );
    expect(renderExecutionPlan(plan)).toContain(
      "| `final-reviewer` | opus | `review--a`, `review--b`, `review--c`, `review--d` and 2 more | – |",
    );
    expect(renderExecutionPlan(plan)).toContain(
      "| `web--a` | sonnet | – | `taskfleet/7-todo/chunk/a` | Build chunk a of plan revision 1: Build a |",
    );
  });
});
