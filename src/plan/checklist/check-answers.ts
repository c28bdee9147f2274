import type { ChecklistAnswer } from "../../contracts/plan-draft.ts";
import { isBlank } from "../../contracts/blank.ts";
import { formatFound, type ProblemList } from "../problem-list.ts";
import { suggestNearest } from "../suggest-nearest.ts";
import { checklist } from "./checklist.ts";

const ids = checklist.map((item) => item.id);
const known = new Set(ids);

/**
 * Every item answered once, each either with where it is met or with why it does not apply.
 * Whether an answer is true is for the plan reviewers.
 */
export function checkChecklist(answers: readonly ChecklistAnswer[], problems: ProblemList): void {
  const answered = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    const path = ["checklist", index];
    const found = formatFound(answer.item);
    if (!known.has(answer.item)) {
      const message = `the checklist has no item ${found}${suggestNearest(answer.item, ids)}`;
      problems.add([...path, "item"], "checklist-unknown", { message, found, allowed: ids.join(", ") });
      continue;
    }
    if (answered.has(answer.item)) {
      problems.add([...path, "item"], "checklist-twice", {
        message: `checklist item ${found} is answered twice`,
        found,
        allowed: "each item once",
      });
    }
    answered.add(answer.item);
    const given = [answer.where, answer.why_not].filter((text) => text !== undefined && !isBlank(text)).length;
    if (given !== 1) {
      const message = `checklist item ${found} needs exactly one of "where" (it is met) and "why_not" (it does not apply)`;
      problems.add(path, "checklist-answer", {
        message,
        found: given === 0 ? "neither" : "both",
        allowed: '"where" or "why_not"',
      });
    }
  }
  for (const item of checklist) {
    if (answered.has(item.id)) continue;
    const message = `checklist item "${item.id}" is not answered: ${item.demand}`;
    problems.add(["checklist"], "checklist-missing", {
      message,
      found: "no answer",
      allowed: `an answer for "${item.id}"`,
    });
  }
}
