import type { Target } from "../contracts/captures.ts";

export interface ParsedTargets {
  readonly targets: readonly Target[];
  readonly problems: readonly string[];
}

/** What an enumeration command prints: one `package kind target` a line, or only a target; `#` begins a comment. */
export function parseTargets(text: string): ParsedTargets {
  const targets: Target[] = [];
  const problems: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [name = "", kind = "", ...rest] = line.split(/\s+/u);
    if (rest.length > 0) targets.push({ package: name, kind, target: rest.join(" ") });
    else if (kind === "") targets.push({ package: "", kind: "target", target: name });
    else problems.push(`the line ${JSON.stringify(line.slice(0, 100))} is not \`package kind target\``);
  }
  if (targets.length === 0) problems.push("no target is listed");
  return { targets, problems: problems.slice(0, 100) };
}
