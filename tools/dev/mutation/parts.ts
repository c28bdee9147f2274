/** A part of src/plan and the tests that must notice when it changes. */
export interface MutationPart {
  readonly name: string;
  readonly mutate: readonly string[];
  /** Tests that only ask the same of more, or of larger, documents are left out. */
  readonly tests: readonly string[];
}

export const mutationParts: readonly MutationPart[] = [
  {
    name: "json",
    mutate: ["src/plan/json/*.ts"],
    tests: ["test/plan/parse-plan.test.ts", "test/plan/scan-json.test.ts"],
  },
  {
    name: "shape",
    mutate: ["src/plan/shape/*.ts", "src/plan/suggest-nearest.ts", "src/plan/problem-list.ts"],
    tests: ["test/plan/compile-shape.test.ts", "test/plan/problem-texts.test.ts", "test/plan/validate-plan.test.ts"],
  },
  {
    name: "rules",
    mutate: ["src/plan/rules/*.ts", "src/plan/validate-*.ts", "src/plan/parse-plan.ts"],
    tests: ["test/plan/validate-*.test.ts", "test/plan/parse-plan.test.ts", "test/plan/parse-plan-draft.test.ts"],
  },
  {
    name: "draft",
    mutate: [
      "src/plan/*-draft.ts",
      "src/plan/build-plan.ts",
      "src/plan/check-*.ts",
      "src/plan/checklist/check-answers.ts",
    ],
    tests: [
      "test/plan/parse-plan-draft.test.ts",
      "test/plan/check-paths.test.ts",
      "test/plan/check-finding-answers.test.ts",
    ],
  },
  { name: "given", mutate: ["src/plan/given/*.ts"], tests: ["test/plan/given/*.test.ts"] },
  {
    name: "graph",
    mutate: ["src/plan/graph/*.ts"],
    tests: ["test/plan/graph/graph.test.ts", "test/plan/graph/scopes.test.ts"],
  },
  { name: "lint", mutate: ["src/plan/lint/*.ts"], tests: ["test/plan/lint/*.test.ts"] },
  {
    name: "diff",
    mutate: [
      "src/plan/diff/*.ts",
      "src/plan/plan-hash.ts",
      "src/plan/render/*-plan-diff.ts",
      "src/plan/render/describe-change.ts",
    ],
    tests: ["test/plan/diff-plans.test.ts", "test/plan/verify-revision.test.ts", "test/plan/describe-change.test.ts"],
  },
  { name: "compile", mutate: ["src/plan/compile/*.ts"], tests: ["test/plan/compile.test.ts"] },
  {
    name: "render",
    mutate: [
      "src/plan/render/render-plan-markdown.ts",
      "src/plan/render/render-mermaid.ts",
      "src/plan/render/render-block.ts",
      "src/plan/render/render-execution-plan.ts",
      "src/plan/render/sections.ts",
    ],
    tests: ["test/plan/render-plan.test.ts"],
  },
];
