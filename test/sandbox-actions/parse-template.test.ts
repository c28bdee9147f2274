import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { stringify } from "yaml";
import { evaluateText } from "../../src/sandbox/actions/expressions.ts";
import { parseWorkflowTemplate } from "../../src/sandbox/actions/parse-template.ts";
import { readWorkflow } from "../../src/sandbox/actions/workflow.ts";

/** What the shell of a one-step workflow gets. */
function readScript(yaml: string, sha = "SHA"): string {
  const { root, errors } = parseWorkflowTemplate("w.yml", yaml);
  if (root === null || errors.length > 0) throw new Error(errors.join("\n"));
  const step = readWorkflow(root).jobs[0]?.steps[0];
  if (step?.kind !== "run") throw new Error("no run step");
  return evaluateText(step.run, { contexts: { github: { sha } }, status: null, hashFiles: null });
}

function workflowOf(run: string): string {
  return stringify({ on: "push", jobs: { a: { "runs-on": "x", steps: [{ run }] } } });
}

describe("a script with expressions", () => {
  it.each<[style: string, yaml: string, script: string]>([
    [
      "literal block",
      "|\n          if [ '${{ github.sha }}' = '' ]; then\n            echo 'it''s'\n          fi\n",
      "if [ 'SHA' = '' ]; then\n  echo 'it''s'\nfi\n",
    ],
    ["folded block", ">-\n          echo ${{ github.sha }}\n          and more\n", "echo SHA and more"],
    ["quotes over lines", '"echo ${{ github.sha }}\\n\n          tab\\tend"\n', "echo SHA\n tab\tend"],
    ["plain over lines", "echo ${{ github.sha }}\n          again\n", "echo SHA again"],
    ["single quotes", "'echo ''${{ github.sha }}'' {x} }}'\n", "echo 'SHA' {x} }}"],
  ])("has the value YAML gives it: %s", (_style, yaml, script) => {
    expect(readScript(`on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: ${yaml}`)).toBe(script);
  });

  it("keeps every character around and inside of expressions", () => {
    const character = fc.constantFrom("a", "'", "{", "}", "$", "\n", " ", "\\", '"', ":", "#", "0", "é");
    const text = fc.string({ unit: character, maxLength: 20 }).filter((value) => !value.includes("${{"));
    fc.assert(
      fc.property(text, text, text, (before, inside, after) => {
        const start = before.endsWith("$") || before.endsWith("${") ? `${before} ` : before;
        const run = `x${start}\${{ github.sha }}${after}y`;
        expect(readScript(workflowOf(run), inside)).toBe(`x${start}${inside}${after}y`);
      }),
    );
  });

  it("keeps all quotes of a text inside of an expression", () => {
    expect(readScript(workflowOf("echo ${{ format('''{0}'' ''{1}''', github.sha, 'a''b''c') }}"))).toBe(
      "echo 'SHA' 'a'b'c'",
    );
  });
});
