import { formatFound, formatPlace, type PathPart, type ProblemList } from "../problem-list.ts";
import { reportType, type Shape } from "./shape.ts";

/** A list of items of one shape. `unique` lists hold strings. */
export function buildArrayShape(item: Shape, limits: { readonly minItems: number; readonly unique: boolean }): Shape {
  return {
    check: (value, path, problems) => {
      if (!Array.isArray(value)) {
        reportType(value, ["array"], path, problems);
        return;
      }
      if (value.length < limits.minItems) {
        const allowed = `at least ${limits.minItems} ${limits.minItems === 1 ? "item" : "items"}`;
        const found = formatFound(value);
        problems.add(path, "min-items", {
          message: `${formatPlace(path)} is ${found}; it needs ${allowed}`,
          found,
          allowed,
        });
      }
      for (let index = 0; index < value.length; index += 1) {
        path.push(index);
        item.check(value[index], path, problems);
        path.pop();
      }
      if (limits.unique && value.length > 1) reportRepeated(value, path, problems);
    },
    // Positions stay, since pointers name them.
    prune: (value) => (Array.isArray(value) ? value.map((part) => item.prune(part)) : undefined),
  };
}

function reportRepeated(items: readonly unknown[], path: PathPart[], problems: ProblemList): void {
  if (new Set(items).size === items.length) return;
  const seen = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    if (typeof item === "string" && seen.has(item)) {
      const found = formatFound(item);
      const message = `${formatPlace([...path, index])} repeats ${found}`;
      problems.add([...path, index], "unique-items", { message, found, allowed: "each item once" });
    }
    seen.add(item);
  }
}
