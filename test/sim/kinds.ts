/** All kinds of facts and actions, read from where they are declared: types are not there at run time. */
import { readFileSync } from "node:fs";

const root = new URL("../../src/engine/", import.meta.url);

export function listFactKinds(): readonly string[] {
  return listKinds("fact.ts", "export type Fact =", "export type RunOutcome");
}

export function listActionKinds(): readonly string[] {
  return listKinds("action.ts", "export type ActionWork =", "export type Action =");
}

function listKinds(file: string, from: string, to: string): readonly string[] {
  const text = readFileSync(new URL(file, root), "utf8");
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  if (start === -1 || end === -1) throw new Error(`${file} does not declare its kinds as expected`);
  // A member of the union begins with `kind` in upper camel case; subjects inside it are lower case.
  const kinds = [...text.slice(start, end).matchAll(/readonly kind: "([A-Z][A-Za-z]*)"/gu)].map(
    (match) => match[1] ?? "",
  );
  const first = file === "fact.ts" ? ["RunStarted"] : [];
  return [...new Set([...first, ...kinds])];
}
