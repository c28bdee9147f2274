/** Cutting Markdown that is too long for GitHub without breaking what stands before the cut. */

export interface SizeLimit {
  readonly unit: "characters" | "bytes";
  readonly most: number;
}

/** Bodies may hold 65,536 characters; we leave room for markers and the notice. */
export const BODY_LIMIT: SizeLimit = { unit: "characters", most: 60_000 };
/** A check's summary and text: 65,535 bytes each (docs.github.com/en/rest/checks/runs). */
export const CHECK_LIMIT: SizeLimit = { unit: "bytes", most: 65_535 };
/** Inline review comments are to be read, not scrolled. */
export const INLINE_LIMIT: SizeLimit = { unit: "characters", most: 8_000 };

const DEFAULT_NOTICE = "_The rest was left out: GitHub's limit for one text is reached._";

/**
 * Keeps whole lines as long as they fit, closes code fences and collapsed parts that are open at the
 * cut, and says that something is missing. A text that fits is returned as it is.
 */
export function cutMarkdown(text: string, limit: SizeLimit, notice: string = DEFAULT_NOTICE): string {
  if (measure(text, limit) <= limit.most) return text;
  const kept: string[] = [];
  const open = new OpenBlocks();
  let size = 0;
  let safe = { lines: 0, tail: formatTail("", notice) };
  for (const line of text.split("\n")) {
    size += measure(line, limit) + 1;
    if (size > limit.most) break;
    kept.push(line);
    open.read(line);
    const tail = formatTail(open.formatClosers(), notice);
    if (size + measure(tail, limit) <= limit.most) safe = { lines: kept.length, tail };
  }
  return `${kept.slice(0, safe.lines).join("\n")}${safe.tail}`;
}

function formatTail(closers: string, notice: string): string {
  return `${closers === "" ? "" : `\n${closers}`}\n\n${notice}`;
}

function measure(text: string, limit: SizeLimit): number {
  return limit.unit === "characters" ? text.length : new TextEncoder().encode(text).length;
}

/** Which fence and how many collapsed parts are open after the lines read so far. */
class OpenBlocks {
  #fence: string | null = null;
  #details = 0;

  read(line: string): void {
    const fence = /^ {0,3}(`{3,})/u.exec(line)?.[1] ?? null;
    if (this.#fence !== null) {
      if (fence !== null && fence.length >= this.#fence.length && line.trim() === fence) this.#fence = null;
      return;
    }
    if (fence !== null) this.#fence = fence;
    else if (line.startsWith("<details")) this.#details += 1;
    else if (line.startsWith("</details>")) this.#details -= 1;
  }

  formatClosers(): string {
    const closers = this.#fence === null ? [] : [this.#fence];
    for (let left = this.#details; left > 0; left -= 1) closers.push("", "</details>");
    return closers.join("\n");
  }
}
