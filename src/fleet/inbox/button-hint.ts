import { z } from "zod";
import { BUTTONS, type ButtonName } from "../../contracts/buttons.ts";

const schema = z.object({
  button: z.enum(Object.keys(BUTTONS) as [ButtonName, ...ButtonName[]]),
  /** Of the check run the button stands on. */
  externalId: z.string(),
  guid: z.string(),
  by: z.string(),
});
/** Who pressed which button, as only the webhook tells. */
export type ButtonHint = z.infer<typeof schema>;

const PREFIX = "button:";

export function formatButtonHint(hint: ButtonHint): string {
  return `${PREFIX}${JSON.stringify(hint)}`;
}

/** null for any other hint. */
export function parseButtonHint(text: string): ButtonHint | null {
  return text.startsWith(PREFIX) ? schema.parse(JSON.parse(text.slice(PREFIX.length))) : null;
}
