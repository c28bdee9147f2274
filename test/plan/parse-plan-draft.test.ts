import { describe, expect, it } from "@jest/globals";
import type { PlanProposal } from "../../src/contracts/plan-draft.ts";
import { buildPlan, formatPlan } from "../../src/plan/build-plan.ts";
import { checklist, checklistSections } from "../../src/plan/checklist/checklist.ts";
import { parsePlan } from "../../src/plan/parse-plan.ts";
import { parsePlanDraft } from "../../src/plan/parse-plan-draft.ts";
import { buildChunk, buildValidPlan, copyLoosely } from "./build-valid-plan.ts";

const { chunks, acceptance, feature, baseline } = buildValidPlan();
const answers = checklist.map(({ id }) => ({ item: id, why_not: "nothing of the kind here" }));

const proposal = {
  kind: "plan",
  triage: "complex",
  title: "Todos",
  goal: "People keep a list of todos.",
  task_brief: { type: "fullstack", complexity: "low", explicit_requirements: ["a list"] },
  chunks,
  acceptance,
  requirements: [{ text: "a list", chunks: ["store", "api"] }],
  decisions: [{ choice: "SQLite", why: "one file" }],
  assignments: { store: "backend", api: "backend" },
  checklist: answers,
};

const context = { agents: ["backend", "web"] };

// oxlint-disable-next-line typescript/no-explicit-any
function parseBroken(change: (draft: any) => void, options: Parameters<typeof parsePlanDraft>[1] = { context }) {
  const draft = copyLoosely(proposal);
  change(draft);
  return parsePlanDraft(JSON.stringify(draft), options).problems;
}

describe("a planner's draft", () => {
  it("is a proposal, with defaults for what was left out and without what nobody asked for", () => {
    const { draft } = parsePlanDraft(
      JSON.stringify({
        kind: "plan",
        title: "t",
        goal: "g",
        chunks,
        acceptance,
        confidence: 0.9,
        task_brief: { mood: "good" },
      }),
    );
    expect(draft).toEqual({
      kind: "plan",
      triage: "complex",
      title: "t",
      goal: "g",
      task_brief: {
        type: "other",
        complexity: "medium",
        inferred: {},
        explicit_requirements: [],
        implicit_requirements: [],
        ambiguities: [],
        out_of_scope: [],
      },
      chunks,
      acceptance,
      requirements: [],
      decisions: [],
      assignments: {},
      unassignable: [],
      checklist: [],
      open_questions: [],
      checkpoints: [],
    });
  });

  it("is questions, or an answer", () => {
    expect(parsePlanDraft('{"kind": "questions", "questions": ["Which browsers?"]}').draft).toEqual({
      kind: "questions",
      questions: ["Which browsers?"],
    });
    expect(parsePlanDraft('{"kind": "answer", "text": "It does that already."}', { context }).draft).toEqual({
      kind: "answer",
      text: "It does that already.",
    });
    expect(parsePlanDraft('{"kind": "questions", "questions": []}').problems).toMatchObject([
      { pointer: "/questions", rule: "draft" },
    ]);
  });

  it("becomes the revision that the App frames", () => {
    const draft = parsePlanDraft(JSON.stringify(proposal), { context }).draft as PlanProposal;
    const plan = buildPlan(draft, { planRev: 1, intentRev: 1, feature, baseline });
    expect(plan).toEqual(buildValidPlan());
    expect(parsePlan(formatPlan(plan)).problems).toEqual([]);
    expect(formatPlan(plan).startsWith('{\n  "schema_version": 3,\n  "plan_rev": 1,')).toBe(true);
    expect(formatPlan(plan).endsWith("\n}\n")).toBe(true);
  });

  it("has its chunks and acceptance judged as the plan's own, at their places in the draft", () => {
    const problems = parseBroken((draft) => {
      draft.chunks[1].deps = ["stoer"];
      draft.chunks[0].colour = "red";
      draft.acceptance.shift();
      draft.goal = 5;
    });
    expect(problems).toMatchSnapshot();
  });

  it("is judged by meaning too where zod finds nothing", () => {
    expect(parseBroken((draft) => (draft.chunks[0].brief = "\u200b")).map(({ rule }) => rule)).toEqual(["blank"]);
    expect(parseBroken((draft) => (draft.chunks[0].files_touched = ["../x"])).map(({ rule }) => rule)).toEqual([
      "path-unsafe",
    ]);
    expect(parseBroken((draft) => delete draft.chunks).map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ["required", ""],
    ]);
  });

  it.each<[string, string, unknown]>([
    ["", "a value of type object", []],
    ["/kind", "plan, questions, answer", { kind: "plann" }],
    ["/text", "a value of type string", { kind: "answer", text: 5 }],
    ["/text", "at least 1 characters", { kind: "answer", text: "" }],
    ["/text", "at most 20000 characters", { kind: "answer", text: "x".repeat(20_001) }],
    ["/questions", "at least 1 items", { kind: "questions", questions: [] }],
    ["/triage", "simple, complex", { ...proposal, triage: "easy" }],
    ["/new_folders", "at most 1000 items", { ...proposal, new_folders: Array(1001).fill("src") }],
    ["/assignments/", "at least 1 characters", { ...proposal, assignments: { [""]: "backend" } }],
  ])("is told, at %j, that it takes %s", (pointer, allowed, draft) => {
    expect(parsePlanDraft(JSON.stringify(draft)).problems).toMatchObject([{ rule: "draft", pointer, allowed }]);
  });

  it("is refused when it is no draft at all", () => {
    expect(parsePlanDraft("I am done!").problems).toMatchObject([{ rule: "json-syntax" }]);
    expect(parsePlanDraft("[]").problems).toMatchObject([{ rule: "draft", pointer: "", found: "an empty list" }]);
    expect(parsePlanDraft('{"kind": "plann"}').problems).toMatchObject([
      { rule: "draft", pointer: "/kind", found: '"plann"', line: 1, column: 10 },
    ]);
    expect(parsePlanDraft('{"kind": "answer"}').problems).toMatchObject([
      { rule: "draft", pointer: "/text", found: "nothing" },
    ]);
    expect(parsePlanDraft('{"kind": "questions", "questions": ["x", 5, ""]}').problems).toMatchObject([
      { pointer: "/questions/1", message: expect.stringMatching(/^questions\[1\]: /), found: "5" },
      { pointer: "/questions/2", found: '""' },
    ]);
    expect(parseBroken((draft) => (draft.task_brief = null))).toMatchObject([
      { pointer: "/task_brief", found: "null" },
    ]);
    expect(parseBroken((draft) => (draft.decisions = "none"))).toMatchObject([
      { pointer: "/decisions", found: '"none"' },
    ]);
    expect(parsePlanDraft('{"kind": "answer", "text": "x", "text": "y"}').problems).toMatchObject([
      { rule: "duplicate-key" },
    ]);
  });
});

describe("a proposal's parts", () => {
  it("fit together", () => {
    expect(parseBroken(() => undefined)).toEqual([]);
  });

  it.each<[string, Parameters<typeof parseBroken>[0]]>([
    ["no requirement at all", (draft) => (draft.requirements = [])],
    [
      "a chunk none of whose checks can fail",
      (draft) =>
        (draft.chunks[1].checks = [
          { desc: "x", run: "true" },
          { desc: "y", run: "echo done", expect_exit: 0 },
        ]),
    ],
    ["a requirement without a chunk", (draft) => draft.requirements.push({ text: "undo" })],
    ["a requirement with an unknown chunk", (draft) => draft.requirements[0].chunks.push("ap")],
    ["an unknown chunk with an agent", (draft) => (draft.assignments.ghost = "web")],
    ["an unknown agent", (draft) => (draft.assignments.api = "bakend")],
    ["a chunk without an agent", (draft) => delete draft.assignments.api],
    [
      "a chunk with an agent that is called unassignable",
      (draft) => (draft.unassignable = [{ chunk: "api", reason: "nobody knows HTTP" }]),
    ],
    [
      "an unknown chunk that is called unassignable",
      (draft) => (draft.unassignable = [{ chunk: "ghost", reason: "gone" }]),
    ],
    ["a checkpoint after an unknown chunk", (draft) => (draft.checkpoints = [{ after: "ghost", reason: "look" }])],
    ["a simple task of two chunks", (draft) => (draft.triage = "simple")],
    ["an unanswered checklist item", (draft) => draft.checklist.splice(3, 1)],
    ["an unknown checklist item", (draft) => draft.checklist.push({ item: "secret", where: "x" })],
    ["a checklist item answered twice", (draft) => draft.checklist.push(draft.checklist[0])],
    ["a checklist item with both answers", (draft) => (draft.checklist[0].where = "store")],
    ["a checklist item with no answer", (draft) => delete draft.checklist[0].why_not],
    ["a checklist item with a blank answer", (draft) => (draft.checklist[0].why_not = "\u200b ")],
  ])("do not with %s", (_name, change) => {
    const problems = parseBroken(change);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems).toMatchSnapshot();
  });

  it("may hold a check that cannot fail beside one that can, or that is expected to", () => {
    const run = (...checks: object[]) => parseBroken((draft) => (draft.chunks[1].checks = checks));
    expect(run({ desc: "x", run: "true" }, { desc: "y", run: "npm test" })).toEqual([]);
    expect(run({ desc: "x", run: "true", expect_exit: 1 })).toEqual([]);
  });

  it("may leave a chunk unassigned with a reason", () => {
    const problems = parseBroken((draft) => {
      delete draft.assignments.api;
      draft.unassignable = [{ chunk: "api", reason: "nobody knows HTTP" }];
    });
    expect(problems).toEqual([]);
  });

  it("may leave everything unassigned where there is one agent", () => {
    expect(parseBroken((draft) => (draft.assignments = {}), { context: { agents: ["default"] } })).toEqual([]);
  });

  it("of a simple task need no checklist", () => {
    const simple = parseBroken((draft) => {
      draft.triage = "simple";
      draft.chunks = [buildChunk("store")];
      draft.requirements = [];
      draft.assignments = { store: "web" };
      draft.checklist = [];
    });
    expect(simple).toEqual([]);
  });

  it("are not judged without a context", () => {
    expect(parseBroken((draft) => (draft.checklist = []), {})).toEqual([]);
  });
});

describe("the checklist", () => {
  it("names each item once, in all seven sections", () => {
    expect(new Set(checklist.map(({ id }) => id)).size).toBe(checklist.length);
    expect([...new Set(checklist.map(({ section }) => section))]).toEqual(Object.keys(checklistSections));
    expect(Object.values(checklistSections)).toHaveLength(7);
    for (const { demand } of checklist) expect(demand).toMatch(/^[A-Z].{20,}\.$/);
  });
});
