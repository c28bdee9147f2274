export interface Option {
  /** What to type, shown as code. */
  readonly command: string;
  /** What happens then. */
  readonly effect: string;
}

/** What a person may do, and which of it we would. The recommendation is Markdown. */
export function formatOptions(options: readonly Option[], recommendation: string): string {
  const lines = options.map(({ command, effect }) => `- \`${command}\`: ${effect}`);
  return `**What you can do**\n\n${lines.join("\n")}\n\n**What I would do:** ${recommendation}`;
}
