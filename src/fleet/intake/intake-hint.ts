import { createHash } from "node:crypto";
import { z } from "zod";

const schema = z.object({
  by: z.string(),
  bot: z.boolean(),
  /** The issue as it was when the label was set; null where no webhook told of the label. */
  text: z.object({ hash: z.string(), at: z.number() }).nullable().default(null),
  repository: z.object({ id: z.number(), owner: z.string(), name: z.string(), installationId: z.number() }),
});
/** Who set the label, where, and over which text. */
export type IntakeHint = z.infer<typeof schema>;

/** A text as somebody saw it: its {@link hashIssueText}, and when the issue had changed last (ms). */
export type SeenText = NonNullable<IntakeHint["text"]>;

export function formatIntakeHint(hint: IntakeHint): string {
  return JSON.stringify(hint);
}

/** @throws when the text is none of ours. */
export function parseIntakeHint(text: string): IntakeHint {
  return schema.parse(JSON.parse(text));
}

/** Several hints at one issue, in the order in which they are worked on: what webhooks saw proves more than a find. */
export function readIntakeHints(texts: readonly string[]): readonly IntakeHint[] {
  const hints = texts.map((text) => parseIntakeHint(text));
  return [...hints.filter(({ text }) => text !== null), ...hints.filter(({ text }) => text === null)];
}

/** Names what an issue says. GitHub keeps line ends as they were sent; nobody sees them. */
export function hashIssueText(issue: { readonly title: string; readonly body: string }): string {
  const lines = [issue.title, issue.body].map((text) => text.replaceAll(/\r\n?/gu, "\n"));
  return createHash("sha256").update(JSON.stringify(lines)).digest("hex");
}
