/**
 * GitHub's patterns for branches, tags and paths:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 * `*` any characters but `/`; `**` any characters; `?` zero or one of the preceding character;
 * `+` one or more of it; `[]` one of a set; `\` escapes; `!` at the start takes matches back.
 */

/** True when the last pattern that speaks about the name includes it. */
export function matchesPatterns(patterns: readonly string[], name: string): boolean {
  let included = false;
  for (const pattern of patterns) {
    if (pattern.startsWith("!")) {
      if (buildPattern(pattern.slice(1)).test(name)) included = false;
    } else if (buildPattern(pattern).test(name)) included = true;
  }
  return included;
}

/** True when at least one pattern matches, the meaning of the `…-ignore` filters. */
export function matchesAnyPattern(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => buildPattern(pattern).test(name));
}

function buildPattern(pattern: string): RegExp {
  let source = "";
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    if (character === "*") {
      if (pattern.charAt(index + 1) !== "*") source += "[^/]*";
      else if (pattern.charAt(index + 2) === "/" && (index === 0 || pattern.charAt(index - 1) === "/")) {
        // `**/x` also matches `x` itself.
        source += "(?:.*/)?";
        index += 2;
      } else {
        source += ".*";
        index += 1;
      }
    } else if (character === "?" || character === "+") source += source === "" ? `\\${character}` : character;
    else if (character === "[") {
      const end = pattern.indexOf("]", index + 1);
      if (end === -1) source += "\\[";
      else {
        source += `[${pattern.slice(index + 1, end).replaceAll(/[\\^]/g, "\\$&")}]`;
        index = end;
      }
    } else if (character === "\\" && index + 1 < pattern.length) {
      index += 1;
      source += escapeCharacter(pattern.charAt(index));
    } else source += escapeCharacter(character);
  }
  return new RegExp(`^(?:${source})$`, "s");
}

function escapeCharacter(character: string): string {
  return /[a-zA-Z0-9_/-]/.test(character) ? character : `\\${character}`;
}
