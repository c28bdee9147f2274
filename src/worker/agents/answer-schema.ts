/** The shape of each role's answer. The App validates it for good; here it only tells an answer from other text. */
import { z } from "zod";
import { type AgentRole, implementReportSchema } from "../../contracts/agent-request.ts";
import { planDraftSchema } from "../../contracts/plan-draft.ts";
import { planVerdictSchema, verdictSchema } from "../../contracts/verdict.ts";

/** JSON Schema of the answer, for programs that can be held to one, and for the prompt. */
export function formatAnswerSchema(role: AgentRole): Readonly<Record<string, unknown>> {
  // Programs that take a schema know no other dialect than their own, and some refuse its name.
  const { $schema: _dialect, ...schema } = z.toJSONSchema(schemaOf(role), { io: "input" });
  return schema;
}

function schemaOf(role: AgentRole): z.ZodType {
  switch (role) {
    case "plan":
      return planDraftSchema;
    case "plan-review":
      return planVerdictSchema;
    case "implement":
      return implementReportSchema;
    case "review":
    case "final-review":
      return verdictSchema;
  }
}

/** Whether an object among prose looks like the role's answer. */
export function looksLikeAnswer(role: AgentRole, value: Readonly<Record<string, unknown>>): boolean {
  switch (role) {
    case "plan":
      return typeof value["kind"] === "string" || Array.isArray(value["chunks"]);
    case "plan-review":
      return typeof value["lens"] === "string" && typeof value["result"] === "string";
    case "implement":
      return typeof value["summary"] === "string";
    case "review":
    case "final-review":
      return Array.isArray(value["criteria"]) && typeof value["result"] === "string";
  }
}
