import { describe, expect, it } from "@jest/globals";
import type { FindingAnswer } from "../../src/contracts/plan-draft.ts";
import { checkFindingAnswers } from "../../src/plan/check-finding-answers.ts";

const findings = [
  { id: "F1", severity: "blocking", title: "No chunk prints the total" },
  { id: "F2", severity: "warning", title: "A chunk of many files" },
  { id: "F3", severity: "blocking", title: "src/api is nowhere" },
] as const;

const fix = (finding: string): FindingAnswer => ({ finding, fix: "chunk report prints it" });
const rebut = (finding: string): FindingAnswer => ({ finding, rebuttal: "src/api is made by chunk api" });

describe("a revised draft", () => {
  it.each<readonly [string, readonly FindingAnswer[], readonly string[]]>([
    ["answers each blocking finding, by a fix or a rebuttal", [fix("F1"), rebut("F3")], []],
    ["may answer a warning", [fix("F1"), rebut("F2"), rebut("F3")], []],
    ["may not leave one out", [fix("F1")], ["finding-unanswered"]],
    ["may not stay silent", [], ["finding-unanswered", "finding-unanswered"]],
    ["may not answer what nobody found", [fix("F1"), fix("F3"), fix("F9")], ["finding-unknown"]],
    ["says what it did", [fix("F1"), { finding: "F3" }], ["finding-answer"]],
    ["says it in words", [fix("F1"), { finding: "F3", rebuttal: " \u200b" }], ["finding-answer"]],
    ["does one of both", [fix("F1"), { ...fix("F3"), ...rebut("F3") }], ["finding-answer"]],
  ])("%s", (_name, answers, rules) => {
    expect(checkFindingAnswers(answers, findings).map((problem) => problem.rule)).toEqual(rules);
  });

  it("is told what is wrong, where, and what would be right", () => {
    const both = { ...fix("F3"), ...rebut("F3") };
    expect(checkFindingAnswers([fix("F9"), { finding: "F1" }, both], findings.slice(0, 2))).toEqual([
      {
        pointer: "/answers/0/finding",
        rule: "finding-unknown",
        message: 'no finding is called "F9"',
        found: '"F9"',
        allowed: "F1, F2",
      },
      {
        pointer: "/answers/1",
        rule: "finding-answer",
        message: 'the answer to "F1" needs exactly one of "fix" (what changed) and "rebuttal" (why it does not hold)',
        found: "neither",
        allowed: '"fix" or "rebuttal"',
      },
      expect.objectContaining({ pointer: "/answers/2/finding", rule: "finding-unknown" }),
      expect.objectContaining({ pointer: "/answers/2", rule: "finding-answer", found: "both" }),
    ]);
    expect(checkFindingAnswers([fix("F1")], findings)).toEqual([
      {
        pointer: "/answers",
        rule: "finding-unanswered",
        message: 'the blocking finding F3 ("src/api is nowhere") is neither fixed nor rebutted',
        found: "no answer",
        allowed: 'an answer for "F3"',
      },
    ]);
  });

  it("has nothing to answer where nothing was found", () => {
    expect(checkFindingAnswers([], [])).toEqual([]);
    expect(checkFindingAnswers([fix("F1")], [])).toMatchObject([{ allowed: "no answers: nothing was found" }]);
  });
});
