/** A collapsed part. The summary is plain text of ours; the body is Markdown; an empty body gives nothing. */
export function formatDetails(summary: string, body: string): string {
  if (body.trim() === "") return "";
  return `<details>\n<summary>${summary}</summary>\n\n${body.trim()}\n\n</details>`;
}
