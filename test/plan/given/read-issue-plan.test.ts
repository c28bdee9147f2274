import { describe, expect, it } from "@jest/globals";
import { sanitiseIntent } from "../../../src/contracts/sanitise.ts";
import { buildGivenDraft } from "../../../src/plan/given/build-given-draft.ts";
import { FORM_LABELS } from "../../../src/plan/given/form-labels.ts";
import { readIssuePlan } from "../../../src/plan/given/read-issue-plan.ts";
import { parsePlanDraft } from "../../../src/plan/parse-plan-draft.ts";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const CHUNK = `id: greet
brief: Add greet(name) to src/greet.js.
files_touched: [src/greet.js, test/__fixtures__/a*b.js]
checks: [{ desc: the tests pass, run: "node --test 'test/**/*.js' && grep '<b>' x" }]`;
interface IssueForm {
  readonly body: ReadonlyArray<{
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly render?: string };
  }>;
}

/** The body GitHub makes of a filled-in form: every field in order, empty ones too (docs.github.com/en/communities, "Syntax for GitHub's form schema"). */
function fillForm(form: IssueForm, answers: Readonly<Record<string, string>>): string {
  const fields = form.body.filter((field) => field.attributes.label !== undefined);
  return fields
    .map(({ id = "", attributes: { label, render } }) => {
      const given = answers[id];
      const shown = given === undefined ? "_No response_" : render === undefined ? given : fence(given, render);
      return `### ${label}\n\n${shown}`;
    })
    .join("\n\n");
}

const fence = (text: string, language = "taskfleet"): string => `\`\`\`${language}\n${text}\n\`\`\``;
const read = (body: string) => readIssuePlan(sanitiseIntent("A title", body));

describe("a plan in an issue", () => {
  it("is a marked block of YAML or JSON, to the letter as it is shown", () => {
    const reading = read(`Please.\n\n${fence(CHUNK)}\n\nThanks.`);
    if (reading.kind !== "found") throw new Error(reading.kind);
    const [chunk] = reading.value["chunks"] as Array<Record<string, unknown>>;
    expect(chunk).toMatchObject({
      id: "greet",
      files_touched: ["src/greet.js", "test/__fixtures__/a*b.js"],
      checks: [{ run: "node --test 'test/**/*.js' && grep '<b>' x" }],
    });
    expect(read(fence('{"chunks":[{"id":"x"}]}'))).toMatchObject({ kind: "found", value: { chunks: [{ id: "x" }] } });
  });

  it("may be spread over several blocks, but says nothing twice", () => {
    const several = read(`${fence("goal: Greet people")}\n\n${fence("- id: a\n- id: b")}\n\n${fence("id: c")}`);
    expect(several).toMatchObject({
      kind: "found",
      value: { goal: "Greet people", chunks: [{ id: "a" }, { id: "b" }, { id: "c" }] },
    });
    expect(read(`${fence("goal: a")}\n\n${fence("id: c")}\n\n${fence("goal: b")}`)).toEqual({
      kind: "broken",
      why: "block 3 says `goal` again: say it in one block",
    });
    expect(read(`${fence("id: c")}\n\n${fence("greet")}`)).toMatchObject({ kind: "broken" });
    expect(read(`${fence("goal: a\nchunks: none")}\n\n${fence("id: c")}`)).toMatchObject({
      value: { goal: "a", chunks: [{ id: "c" }] },
    });
    expect(read(`${fence("goal: a\nchunks: []")}\n\n${fence("goal: b\nchunks: []")}`).kind).toBe("broken");
  });

  it.each([
    ["stands in a hidden comment", `<!--\n${fence(CHUNK)}\n-->`],
    ["stands in a closed section", `<details><summary>log</summary>\n\n${fence(CHUNK)}\n\n</details>`],
    ["is quoted from somebody else", `> ${fence(CHUNK).replaceAll("\n", "\n> ")}`],
    ["is another language's", fence(CHUNK, "yaml")],
    ["is only spoken of", "Use a ```taskfleet block."],
  ])("is none when it %s", (_why, body) => {
    expect(read(body)).toEqual({ kind: "none" });
  });

  it.each([
    ["is no YAML", "chunks: [\n"],
    ["says a key twice", "chunks: []\nchunks: []\n"],
    ["is a bare word", "greet"],
    ["unfolds aliases", `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: *a`).join("\n")}\nchunks: []`],
  ])("is refused with the reason when it %s", (_why, text) => {
    expect(read(fence(text))).toMatchObject({ kind: "broken", why: expect.any(String) });
  });

  const answer = (label: string, text: string): string => `### ${label}\n\n${text}`;

  it("is what the issue form's fields say: one chunk", () => {
    const body = [
      answer(FORM_LABELS.brief, "Add greet(name).\n\nIt refuses __blank__ names."),
      answer(FORM_LABELS.files, fence("src/greet.js\ntest/__a__.js", "text")),
      answer(FORM_LABELS.checks, fence("node --test\nnpm run lint -- 'a*b'", "shell")),
      answer(FORM_LABELS.assertions, "_No response_"),
      answer(FORM_LABELS.plan, "_No response_"),
    ].join("\n\n");
    expect(read(body)).toEqual({
      kind: "found",
      value: {
        chunks: [
          {
            id: "work",
            tier: "mid",
            brief: "Add greet(name).\n\nIt refuses blank names.",
            files_touched: ["src/greet.js", "test/__a__.js"],
            checks: [
              { desc: "`node --test` passes", run: "node --test" },
              { desc: "`npm run lint -- 'a*b'` passes", run: "npm run lint -- 'a*b'" },
            ],
          },
        ],
      },
    });
    const whole = body.replace(/_No response_$/u, fence(CHUNK, "yaml"));
    expect(read(whole)).toMatchObject({ value: { chunks: [{ id: "greet" }] } });
  });

  const asked = (answers: Partial<Record<keyof typeof FORM_LABELS, string>>) => {
    const fields = Object.entries(answers).map(([key, text]) => answer(FORM_LABELS[key as "brief"], text));
    const reading = read(fields.join("\n\n"));
    return reading.kind === "found" ? (reading.value["chunks"] as unknown[])[0] : reading.kind;
  };

  it("needs files or commands to be one chunk", () => {
    expect(asked({ brief: "b", assertions: "a" })).toBe("none");
    expect(asked({ brief: "b", files: "a.js", checks: "_No response_" })).toMatchObject({
      files_touched: ["a.js"],
      checks: [],
    });
    expect(asked({ brief: "b", checks: "npm test" })).toMatchObject({
      files_touched: [],
      checks: [{ run: "npm test" }],
    });
  });

  it("is read line by line, however the lines are written", () => {
    expect(asked({ files: "- a.js\n- b.js", assertions: "one\\\ntwo  \nthree\n\nfour" })).toMatchObject({
      files_touched: ["a.js", "b.js"],
      assertions: ["one", "two", "three", "four"],
    });
    expect(
      asked({ files: fence("  a.js  \n\n  b.js", "text"), brief: "Say *hello* `now`.\n\n- x\n- y" }),
    ).toMatchObject({
      files_touched: ["a.js", "b.js"],
      brief: "Say hello now.\n\nx\ny",
    });
  });

  it("takes the first of two answers with one label, and no heading inside an answer for a label", () => {
    const body = [
      answer(FORM_LABELS.brief, "Do a.\n\n#### Why\n\nBecause."),
      answer(FORM_LABELS.files, "a.js"),
      answer(FORM_LABELS.files, "b.js"),
      answer("Anything else?", "c.js"),
    ].join("\n\n");
    expect(read(body)).toMatchObject({
      value: { chunks: [{ brief: "Do a.\n\nWhy\n\nBecause.", files_touched: ["a.js"] }] },
    });
    expect(read(`nothing\n\n${body.replaceAll("###", "#")}`)).toMatchObject({
      value: { chunks: [{ files_touched: ["a.js"] }] },
    });
  });

  describe("written with the form that init installs", () => {
    const form = parse(readFileSync(".github/ISSUE_TEMPLATE/taskfleet.yml", "utf8")) as IssueForm;

    it("has labels for exactly what is read, and labels no issue itself", () => {
      const labels = form.body.flatMap((field) => field.attributes.label ?? []);
      expect(labels).toEqual(Object.values(FORM_LABELS));
      // A form labels for anybody who opens an issue with it.
      expect(form).not.toHaveProperty("labels");
    });

    it("is a valid draft of one chunk when brief, files and commands are answered", () => {
      const reading = read(
        fillForm(form, {
          brief: "Add greet(name) to src/greet.js.",
          untouched: "The command line.",
          assertions: "a blank name is refused",
          files: "src/greet.js\ntest/greet.test.js",
          checks: "node --test test/greet.test.js",
        }),
      );
      if (reading.kind !== "found") throw new Error(reading.kind);
      const { draft, problems } = parsePlanDraft(buildGivenDraft(reading.value, "Greet people"), {
        context: { agents: ["default"] },
      });
      expect(problems).toEqual([]);
      expect(draft).toMatchObject({
        kind: "plan",
        triage: "simple",
        chunks: [
          {
            brief: "Add greet(name) to src/greet.js.\n\nWhat must stay as it is: The command line.",
            files_touched: ["src/greet.js", "test/greet.test.js"],
            checks: [{ run: "node --test test/greet.test.js" }],
            assertions: ["a blank name is refused"],
          },
        ],
      });
    });

    it("is the plan in its last field when there is one, whatever the other fields say", () => {
      const plan = "chunks:\n  - { id: a, brief: Do a., files_touched: [a.js], checks: [{ desc: t, run: node a.js }] }";
      const reading = read(fillForm(form, { brief: "Do a.", files: "b.js", checks: "node b.js", plan }));
      expect(reading).toMatchObject({ kind: "found", value: { chunks: [{ id: "a", files_touched: ["a.js"] }] } });
    });

    it("is no plan when only the planner's fields are answered", () => {
      expect(read(fillForm(form, { brief: "Greet people.", assertions: "it greets" }))).toEqual({ kind: "none" });
    });
  });
});

describe("what a person need not write", () => {
  const context = { agents: ["default"] };

  it("follows from the chunks, so that two lines of YAML and a check make a valid draft", () => {
    const reading = read(fence(`${CHUNK}\n`));
    if (reading.kind !== "found") throw new Error(reading.kind);
    const parsed = parsePlanDraft(buildGivenDraft(reading.value, "Greet people"), { context });
    expect(parsed.problems).toMatchObject([{ message: expect.stringContaining("no globs") }]);
    const sound = read(fence(CHUNK.replace("a*b", "ab")));
    if (sound.kind !== "found") throw new Error(sound.kind);
    const draft = parsePlanDraft(buildGivenDraft(sound.value, "Greet people"), { context });
    expect(draft.problems).toEqual([]);
    expect(draft.draft).toMatchObject({
      kind: "plan",
      triage: "simple",
      title: "Greet people",
      acceptance: [{ kind: "check", desc: "the tests pass" }],
      requirements: [{ chunks: ["greet"] }],
    });
  });

  it("stays wrong where it is wrong: the gates name it", () => {
    const nothing = parsePlanDraft(buildGivenDraft({ chunks: ["x", { id: "a" }] }, ""), { context });
    expect(nothing.draft).toBeNull();
    expect(nothing.problems.length).toBeGreaterThan(2);
  });

  it("assigns a chunk to the agent that stands beside it, and refuses one nobody knows", () => {
    const two = { agents: ["front", "back"] };
    const chunk = { id: "a", brief: "Do a.", files_touched: ["a.js"], checks: [{ desc: "t", run: "node a.js" }] };
    const own = buildGivenDraft({ chunks: [{ ...chunk, agent: "back" }] }, "A");
    expect(parsePlanDraft(own, { context: two }).draft).toMatchObject({ assignments: { a: "back" } });
    const other = buildGivenDraft({ chunks: [{ ...chunk, agent: "nobody" }] }, "A");
    expect(parsePlanDraft(other, { context: two }).problems).toMatchObject([{ rule: "agent-unknown" }]);
  });
});
