/**
 * Schema, validator, types and zod mirror agree. The types take part through the generators, which
 * the compiler holds to `Plan` and `ExecutionPlan`; the schema through ajv, an independent reader.
 * `TASKFLEET_DRIFT_RUNS=50000` is the nightly mode.
 */
import { describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import type { AcceptanceItem, Chunk } from "../../src/contracts/plan.ts";
import { draftAcceptanceSchema, draftChunkSchema } from "../../src/contracts/plan-draft.ts";
import type { Problem } from "../../src/contracts/problem.ts";
import { parsePlan } from "../../src/plan/parse-plan.ts";
import { parseExecutionPlan, validateExecutionPlan } from "../../src/plan/validate-execution-plan.ts";
import { validatePlan } from "../../src/plan/validate-plan.ts";
import { acceptanceItemArbitrary, chunksArbitrary, driftRuns, planArbitrary } from "./arbitrary-plan.ts";
import { executionPlanArbitrary } from "./arbitrary-execution-plan.ts";
import { breakDocument } from "./break-document.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
const loadSchema = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8")) as object;
const planSchema = ajv.compile(loadSchema("plan.v3"));
const executionPlanSchema = ajv.compile(loadSchema("execution-plan"));
const chunkSchema = ajv.compile({ $ref: "https://taskfleet.dev/schemas/plan.v3.schema.json#/$defs/chunk" });
const acceptanceSchema = ajv.compile({
  $ref: "https://taskfleet.dev/schemas/plan.v3.schema.json#/$defs/acceptance_item",
});

const shapeRules = new Set([
  "type",
  "required",
  "unknown-key",
  "enum",
  "const",
  "pattern",
  "min-items",
  "unique-items",
  "version-missing",
  "version-type",
  "version-unsupported",
]);

/** Whether a JSON Schema can see this problem. */
function isVisibleToSchema({ rule, found, pointer }: Problem): boolean {
  if (rule === "blank") return found === '""';
  // Revisions end at 2^53 - 1, which only the validator says.
  if (rule === "range") return !pointer.endsWith("_rev") || Number(found) < 2 ** 53;
  return shapeRules.has(rule);
}

/** Whoever is told a problem is told where, what stands there and what may stand there. */
function isIncomplete({ rule, message, found, allowed }: Problem): boolean {
  return [rule, message, found, allowed].some((text) => text === undefined || text.trim() === "");
}

const parameters = { numRuns: driftRuns };

// The types of the mirror are the types of the plan, in both directions.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
const chunkTypesAgree: Same<z.infer<typeof draftChunkSchema>, Mutable<Chunk>> = true;
const acceptanceTypesAgree: Same<z.infer<typeof draftAcceptanceSchema>, Mutable<AcceptanceItem>> = true;

describe("the drift guard", () => {
  it("finds every generated plan valid, by schema and by validator, also after a round trip", () => {
    fc.assert(
      fc.property(planArbitrary, (plan) => {
        expect(planSchema(plan)).toBe(true);
        expect(parsePlan(JSON.stringify(plan))).toEqual({ plan, problems: [] });
      }),
      parameters,
    );
  });

  it("finds schema and validator of one mind about broken plans", () => {
    fc.assert(
      fc.property(breakDocument(planArbitrary), (document) => {
        const problems = validatePlan(document);
        expect({ document, valid: planSchema(document) }).toEqual({
          document,
          valid: !problems.some(isVisibleToSchema),
        });
        expect(problems.filter(isIncomplete)).toEqual([]);
      }),
      parameters,
    );
  });

  it("finds the zod mirror of one mind with the schema about chunks and acceptance", () => {
    const chunk = chunksArbitrary.map((chunks) => chunks[0]!);
    fc.assert(
      fc.property(
        fc.oneof(chunk, breakDocument(chunk)),
        fc.oneof(acceptanceItemArbitrary, breakDocument(acceptanceItemArbitrary)),
        (one, item) => {
          expect([one, draftChunkSchema.safeParse(one).success]).toEqual([one, chunkSchema(one)]);
          expect([item, draftAcceptanceSchema.safeParse(item).success]).toEqual([item, acceptanceSchema(item)]);
        },
      ),
      parameters,
    );
    expect([chunkTypesAgree, acceptanceTypesAgree]).toEqual([true, true]);
  });

  it("finds every generated execution plan valid", () => {
    fc.assert(
      fc.property(executionPlanArbitrary, (plan) => {
        expect(executionPlanSchema(plan)).toBe(true);
        expect(parseExecutionPlan(JSON.stringify(plan)).problems).toEqual([]);
      }),
      parameters,
    );
  });

  it("finds schema and validator of one mind about broken execution plans", () => {
    fc.assert(
      fc.property(breakDocument(executionPlanArbitrary), (document) => {
        const problems = validateExecutionPlan(document);
        expect({ document, valid: executionPlanSchema(document) }).toEqual({
          document,
          valid: !problems.some(isVisibleToSchema),
        });
        expect(problems.filter(isIncomplete)).toEqual([]);
      }),
      parameters,
    );
  });

  it("would notice: about as many documents are broken as are not", () => {
    const broken = fc.sample(breakDocument(planArbitrary), 500).filter((document) => !planSchema(document)).length;
    expect(broken).toBeGreaterThan(150);
    expect(broken).toBeLessThan(500);
  });
});
