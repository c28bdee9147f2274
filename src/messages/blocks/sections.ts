/** Blocks of Markdown with a blank line between them; empty ones are left out. */
export function joinSections(...blocks: readonly string[]): string {
  return blocks
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .join("\n\n");
}

/** A heading with its content, or nothing when there is no content. */
export function formatSection(heading: string, content: string): string {
  return content.trim() === "" ? "" : `${heading}\n\n${content.trim()}`;
}
