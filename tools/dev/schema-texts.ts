/**
 * The JSON Schemas in `schemas/`: plan.v3 and the execution plan as src/contracts states them, the
 * others derived from the zod schemas that read the documents.
 */
import { z } from "zod";
import { changeSetSchema } from "../../src/contracts/change-set.ts";
import { configFileSchema } from "../../src/contracts/config.ts";
import { executionPlanSchema } from "../../src/contracts/execution-plan-schema.ts";
import { planDraftSchema } from "../../src/contracts/plan-draft.ts";
import { planSchema } from "../../src/contracts/plan-schema.ts";
import { planVerdictSchema, verdictSchema } from "../../src/contracts/verdict.ts";

const base = "https://taskfleet.dev/schemas";

export interface SchemaFile {
  /** Repository-relative path. */
  readonly path: string;
  readonly text: string;
}

export function listSchemaFiles(): readonly SchemaFile[] {
  return [
    formatFile("plan.v3", planSchema),
    formatFile("execution-plan", executionPlanSchema),
    fromZod("plan-draft", planDraftSchema),
    fromZod("config", configFileSchema),
    fromZod("change-set", changeSetSchema),
    fromZod("verdict", verdictSchema),
    fromZod("plan-verdict", planVerdictSchema),
  ];
}

function fromZod(name: string, schema: z.ZodType): SchemaFile {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return formatFile(name, { $schema, $id: `${base}/${name}.schema.json`, ...rest });
}

function formatFile(name: string, schema: object): SchemaFile {
  return { path: `schemas/${name}.schema.json`, text: `${JSON.stringify(schema, null, 2)}\n` };
}
