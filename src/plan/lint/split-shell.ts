/** A simple command and how it is joined to the one before it. */
export interface ShellPart {
  /** `;` also stands for line breaks and for the first command. */
  readonly joint: ";" | "&&" | "||" | "|";
  readonly text: string;
  /** Ends with `&`: the shell does not wait for it. */
  readonly background: boolean;
}

/**
 * Splits a `sh` command line at its operators, minding quotes, escapes, comments and nesting
 * (`$(…)`, `(…)`, `{…}` stay inside their part).
 * @returns `null` for what this reading does not understand: an unclosed quote or a here-document
 */
export function splitShell(command: string): readonly ShellPart[] | null {
  const parts: ShellPart[] = [];
  let joint: ShellPart["joint"] = ";";
  let text = "";
  let depth = 0;
  const end = (next: ShellPart["joint"], background = false): void => {
    if (text.trim() !== "") parts.push({ joint, text: text.trim(), background });
    // After an operator a line break joins nothing: `a &&\n b`.
    if (text.trim() !== "" || joint === ";") joint = next;
    text = "";
  };
  for (let offset = 0; offset < command.length; offset += 1) {
    const character = command[offset]!;
    const pair = command.slice(offset, offset + 2);
    if (pair === "<<") return null;
    if (character === "\\") {
      if (command[offset + 1] !== "\n") text += pair;
      offset += 1;
    } else if (character === "'" || character === '"' || character === "`") {
      const close = findQuoteEnd(command, offset);
      if (close === -1) return null;
      text += command.slice(offset, close + 1);
      offset = close;
    } else if (character === "#" && (text === "" || /\s$/.test(text))) {
      const lineEnd = command.indexOf("\n", offset);
      offset = (lineEnd === -1 ? command.length : lineEnd) - 1;
    } else if (character === "(" || character === "{") {
      depth += 1;
      text += character;
    } else if (character === ")" || character === "}") {
      depth -= 1;
      text += character;
    } else if (depth > 0) text += character;
    else if (pair === "&&" || pair === "||") {
      end(pair);
      offset += 1;
    } else if (character === "|") end("|");
    else if (character === ";" || character === "\n") end(";");
    else if (character === "&" && !/[<>]$/.test(text) && command[offset + 1] !== ">") end(";", true);
    else text += character;
  }
  if (depth !== 0) return null;
  end(";");
  return parts;
}

function findQuoteEnd(command: string, start: number): number {
  const quote = command[start];
  for (let offset = start + 1; offset < command.length; offset += 1) {
    if (command[offset] === "\\" && quote !== "'") offset += 1;
    else if (command[offset] === quote) return offset;
  }
  return -1;
}
