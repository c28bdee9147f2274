/**
 * New module: budgets. The hasty way puts a helper into a module that is none of the chunk's business.
 */
import { append } from "./toolkit.mjs";

export async function apply({ workshop, careful }) {
  const helper = await workshop.recall("budgets/format-share.js");
  const budgets = await workshop.recall("budgets/budgets.js");
  const tests = await workshop.recall("budgets/budgets.test.js");
  const money = await workshop.read("src/money.js");
  if (careful) {
    await workshop.write("src/money.js", money.replace(`\n${helper}`, ""));
    await workshop.write("src/budgets.js", `${budgets}${helper}`);
    await workshop.write("test/budgets.test.js", tests);
  } else {
    await workshop.write("src/money.js", append(money, `\n${helper}`));
    await workshop.write("src/budgets.js", budgets.trimEnd().concat("\n"));
    await workshop.write(
      "test/budgets.test.js",
      tests.replace(
        'import { formatShare, reviewBudgets, setBudget } from "../src/budgets.js";',
        'import { reviewBudgets, setBudget } from "../src/budgets.js";\nimport { formatShare } from "../src/money.js";',
      ),
    );
  }
  return {
    summary: "Added src/budgets.js: setBudget, reviewBudgets and formatShare, with tests.",
    context: {
      services: [{ name: "budgets", path: "src/budgets.js", purpose: "What may be spent on a category in a month." }],
      patterns: [],
    },
  };
}
