/** Texts written for a page, cut to what fits on a line. */

/** The first line of a Markdown text that says something, without its markup, cut to a length. */
export function formatOneLine(markdown: string, length: number): string {
  const plain = markdown
    .replaceAll(/<!--[\s\S]*?-->/gu, "")
    .replaceAll(/<[^>]+>/gu, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/\\(?=[^\w\s])/gu, "")
    .replaceAll(/[*`\u2060]|^\s*(?:[#>]+|-)\s+/gmu, "");
  const line = plain
    .split("\n")
    .map((part) => part.trim())
    .find((part) => part !== "" && !/^@\S+:$/u.test(part));
  const text = (line ?? "").replaceAll(/\s+/gu, " ");
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** A check's title without the attempt it names: that stands beside it already. */
export function shortenTitle(title: string): string {
  return title
    .replace(/^Attempt \d+ of \S+ (?:passed|failed) the floor: /u, "")
    .replace(/ \(attempt \d+ of \S+\)$/u, "");
}
