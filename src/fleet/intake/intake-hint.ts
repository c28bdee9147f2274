import { z } from "zod";

const schema = z.object({
  by: z.string(),
  bot: z.boolean(),
  repository: z.object({ id: z.number(), owner: z.string(), name: z.string(), installationId: z.number() }),
});
/** Who set the label, where. */
export type IntakeHint = z.infer<typeof schema>;

export function formatIntakeHint(hint: IntakeHint): string {
  return JSON.stringify(hint);
}

/** @throws when the text is none of ours. */
export function parseIntakeHint(text: string): IntakeHint {
  return schema.parse(JSON.parse(text));
}
