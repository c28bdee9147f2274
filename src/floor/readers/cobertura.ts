/** Cobertura XML, as coverage.py, istanbul and gocover-cobertura write it (cobertura coverage-04.dtd). */
import type { Coverage } from "../../contracts/captures.ts";
import { buildCoverageProblem, formatPercent } from "./percent.ts";
import { walkXml, type XmlAttributes } from "./read-xml.ts";

export function readCobertura(text: string): Coverage {
  let root: { readonly name: string; readonly attributes: XmlAttributes } | null = null as {
    readonly name: string;
    readonly attributes: XmlAttributes;
  } | null;
  const problem = walkXml(text, {
    open: (name, attributes) => {
      root ??= { name, attributes };
    },
    close: () => {},
  });
  if (problem !== null) return buildCoverageProblem(`not well-formed XML: ${problem}`);
  if (root?.name !== "coverage") return buildCoverageProblem("no cobertura report: the root element is not `coverage`");
  const { attributes } = root;
  const lines = readRate(attributes, "lines-covered", "lines-valid", "line-rate");
  if (lines === null) return buildCoverageProblem("the report holds no line rate");
  return {
    problems: [],
    lines,
    branches: readRate(attributes, "branches-covered", "branches-valid", "branch-rate"),
    functions: null,
    statements: null,
  };
}

/** The counts are exact; the rate is rounded by some writers, and 0 where nothing was measured. */
function readRate(attributes: XmlAttributes, covered: string, valid: string, rate: string): number | null {
  const hit = Number(attributes[covered] ?? Number.NaN);
  const found = Number(attributes[valid] ?? Number.NaN);
  if (Number.isSafeInteger(hit) && Number.isSafeInteger(found) && hit >= 0 && found >= hit && found > 0)
    return formatPercent(hit, found);
  const value = Number(attributes[rate] ?? Number.NaN);
  return value >= 0 && value <= 1 && found !== 0 ? Math.floor(value * 10_000) / 100 : null;
}
