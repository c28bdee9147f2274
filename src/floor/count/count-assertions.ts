import { tallyAssertions, type AssertionTally, type Findings } from "./assertion-tally.ts";
import { findGoAssertions, parseGo } from "./go.ts";
import { findJavaAssertions, parseJava } from "./java.ts";
import { findJavascriptAssertions, parseJavascript } from "./javascript.ts";
import { findPythonAssertions, parsePython } from "./python.ts";
import { findRustAssertions, parseRust } from "./rust.ts";

/** Beyond this a file is data; parsing it would only cost time. */
const maxCharacters = 1_000_000;

/** Counts the assertions of a file by its syntax; null for a language without a parser here. */
export function countAssertions(path: string, text: string): AssertionTally | null {
  const find = chooseFinder(path);
  return find === null || text.length > maxCharacters ? null : tallyAssertions(find(path, text));
}

function chooseFinder(path: string): ((path: string, text: string) => Findings) | null {
  const extension = /\.([A-Za-z]+)$/u.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^(?:[cm]?[jt]s|[jt]sx)$/u.test(extension))
    return (file, text) => findJavascriptAssertions(parseJavascript(file, text));
  switch (extension) {
    case "py":
      return (_, text) => findPythonAssertions(parsePython(text));
    case "go":
      return (_, text) => findGoAssertions(parseGo(text));
    case "rs":
      return (_, text) => findRustAssertions(parseRust(text));
    case "java":
      return (_, text) => findJavaAssertions(parseJava(text));
    default:
      return null;
  }
}
