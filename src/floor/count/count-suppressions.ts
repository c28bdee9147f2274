import type { SyntaxNode } from "@lezer/common";
import { parseGo } from "./go.ts";
import { parseJava } from "./java.ts";
import { parseJavascript } from "./javascript.ts";
import { parsePython } from "./python.ts";
import { parseRust } from "./rust.ts";
import { textOf, visitNodes, type Source } from "./syntax.ts";

/** Comments that silence a tool: linters, type checkers, coverage. */
const silencingComment =
  /\b(?:eslint|oxlint|tslint|biome|stylelint|jshint|standard)-?(?::|\s)?(?:disable|ignore)|@ts-(?:ignore|expect-error|nocheck)|\bdeno-lint-ignore|\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)|(?:^|\W)(?:noqa|nosec|nosemgrep)\b|\btype:\s*ignore|\bpyright:\s*(?:ignore|basic)|\bmypy:\s*ignore|\bpylint:\s*(?:disable|skip)|\bruff:\s*noqa|\bflake8:\s*noqa|\bpragma:\s*no\s*(?:cover|branch)|\bnolint\b|\blint:ignore|\bNOSONAR\b|\bNOLINT|\bCHECKSTYLE[:.]\s*OFF|\bNOPMD\b|\bnoinspection\b|\brubocop:disable|\bphpcs:(?:ignore|disable)|\bphpstan-ignore|\bktlint-disable|\bswiftlint:disable|\bshellcheck\s+disable/u;
/** Tested on the whole text first: most files hold nothing of the kind and are never parsed. */
const anySuppression = new RegExp(
  `${silencingComment.source}|\\bas\\s+(?:any|unknown\\s+as)\\b|<any>|#!?\\[(?:allow|expect|cfg_attr\\([^\\]]*allow)\\b|@Suppress|@SuppressWarnings|@SuppressFBWarnings`,
  "u",
);

/**
 * How often a file silences a tool: in comments, and in code where the language has words for it
 * (`as any`, `#[allow(…)]`, `@SuppressWarnings`). Strings never count where a parser is at hand; in
 * other languages every line counts that looks so. 0 for most files.
 */
export function countSuppressions(path: string, text: string): number {
  if (text.length > 1_000_000 || !anySuppression.test(text)) return 0;
  const source = parseSource(path, text);
  if (source === null) return isProse(path) ? 0 : text.split("\n").filter((line) => silencingComment.test(line)).length;
  let count = 0;
  visitNodes(source, (node) => {
    if (isSuppression(source, node)) count += 1;
  });
  return count;
}

function parseSource(path: string, text: string): Source | null {
  const extension = /\.([A-Za-z]+)$/u.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^(?:[cm]?[jt]s|[jt]sx)$/u.test(extension)) return parseJavascript(path, text);
  switch (extension) {
    case "py":
      return parsePython(text);
    case "go":
      return parseGo(text);
    case "rs":
      return parseRust(text);
    case "java":
      return parseJava(text);
    default:
      return null;
  }
}

/** Documents and data may speak of suppressions. */
function isProse(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc|html?|json|lock|svg|csv|snap|map)$/iu.test(path) || !path.includes(".");
}

function isSuppression(source: Source, node: SyntaxNode): boolean {
  switch (node.name) {
    case "LineComment":
    case "BlockComment":
    case "Comment":
      return silencingComment.test(textOf(source, node));
    case "TypeName":
    case "VoidType":
    case "ThisType":
      return isAnyCast(source, node);
    case "Attribute":
    case "InnerAttribute":
      return /^#?!?\[\s*(?:allow|expect|cfg_attr\b[\s\S]*\ballow)\s*\(/u.test(textOf(source, node));
    case "Annotation":
    case "MarkerAnnotation":
      return /^@(?:java\.lang\.)?Suppress(?:Warnings|FBWarnings)?\b/u.test(textOf(source, node));
    default:
      return false;
  }
}

/** `x as any`, `x as unknown as T`, `<any>x`; `any` in a declaration hides nothing that was known. */
function isAnyCast(source: Source, node: SyntaxNode): boolean {
  const name = textOf(source, node);
  const { parent } = node;
  if (parent === null || (name !== "any" && name !== "unknown")) return false;
  if (parent.name !== "BinaryExpression" && parent.name !== "PrefixCast") {
    return false;
  }
  if (name === "any") return true;
  return /^\s*\)?\s*as\b/u.test(source.text.slice(node.to, node.to + 20));
}
