/** lcov tracefiles (manual page geninfo(1), section FILES). */
import type { Coverage } from "../../contracts/captures.ts";
import { buildCoverageProblem, formatPercent } from "./percent.ts";

interface Sum {
  hit: number;
  found: number;
  seen: boolean;
}

export function readLcov(text: string): Coverage {
  const sums: Readonly<Record<"L" | "BR" | "F", Sum>> = { L: newSum(), BR: newSum(), F: newSum() };
  let records = 0;
  let open = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("SF:")) {
      if (open) return buildCoverageProblem("a record does not end: the report is cut off");
      open = true;
    } else if (line.startsWith("end_of_record")) {
      if (!open) return buildCoverageProblem("a record ends that did not begin");
      open = false;
      records += 1;
    } else {
      const match = /^(L|BR|FN)([FH]):([0-9]+)\s*$/u.exec(line);
      if (match === null) continue;
      const sum = sums[match[1] === "FN" ? "F" : (match[1] as "L" | "BR")];
      sum.seen = true;
      if (match[2] === "H") sum.hit += Number(match[3]);
      else sum.found += Number(match[3]);
    }
  }
  if (open) return buildCoverageProblem("the last record does not end: the report is cut off");
  if (records === 0) return buildCoverageProblem("no lcov record found");
  if (Object.values(sums).some((sum) => sum.hit > sum.found))
    return buildCoverageProblem("more is covered than there is");
  return {
    problems: [],
    lines: percent(sums.L),
    branches: percent(sums.BR),
    functions: percent(sums.F),
    statements: null,
  };
}

function newSum(): Sum {
  return { hit: 0, found: 0, seen: false };
}

function percent(sum: Sum): number | null {
  return sum.seen ? formatPercent(sum.hit, sum.found) : null;
}
