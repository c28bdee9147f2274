/** `node plan-memory.ts parsePlan|ajv SIZE`: prints the peak memory of reading one plan, in MB. */
import { readFileSync } from "node:fs";
import { generatePlan } from "./generate-plan.ts";

const [way, size] = process.argv.slice(2);
const text = JSON.stringify(generatePlan(Number(size)), null, 2);
if (way === "ajv") {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const schema = JSON.parse(
    readFileSync(new URL("../../../schemas/plan.v3.schema.json", import.meta.url), "utf8"),
  ) as object;
  if (!new Ajv2020({ allErrors: true }).compile(schema)(JSON.parse(text))) throw new Error("refused");
} else {
  const { parsePlan } = await import("../../../src/plan/parse-plan.ts");
  if (parsePlan(text, { maxBytes: Number.MAX_SAFE_INTEGER }).plan === null) throw new Error("refused");
}
console.log(Math.round(process.resourceUsage().maxRSS / 1024));
