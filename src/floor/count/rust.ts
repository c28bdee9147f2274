import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/rust";
import type { Findings, FoundAssertion, FoundBlock, FoundCall } from "./assertion-tally.ts";
import { listChildren, textOf, visitNodes, type Source } from "./syntax.ts";

export function parseRust(text: string): Source {
  return { text, tree: parser.parse(text) };
}

const assertingMacro = /^(?:\w+::)*(?:debug_|prop_|test_)?assert(?:_\w+)?$/u;

export function findRustAssertions(source: Source): Findings {
  const assertions: FoundAssertion[] = [];
  const tests: FoundBlock[] = [];
  const helpers: FoundBlock[] = [];
  const calls: FoundCall[] = [];
  visitNodes(source, (node) => {
    if (node.name === "MacroInvocation") {
      const assertion = judgeMacro(source, node);
      if (assertion !== null) assertions.push(assertion);
    } else if (node.name === "CallExpression") {
      const name =
        (listChildren(node)[0] === undefined ? "" : textOf(source, listChildren(node)[0]!)).split(/::|\./u).at(-1) ??
        "";
      // A test that unwraps, or hands its error on, can fail.
      calls.push({ name: /^(?:unwrap|expect|unwrap_err|expect_err)$/u.test(name) ? "expect" : name, at: node.from });
    } else if (node.name === "TryExpression") calls.push({ name: "expect", at: node.from });
    else if (node.name === "FunctionItem") {
      const block = readFunction(source, node);
      const attributes = readAttributes(source, node);
      (/\b(?:test|rstest|test_case|proptest|quickcheck)\b/u.test(attributes) ? tests : helpers).push(block);
      if (/\bshould_panic\b/u.test(attributes)) assertions.push({ at: node.from, strong: true });
    }
  });
  return { assertions, tests, helpers, calls };
}

function readFunction(source: Source, node: SyntaxNode): FoundBlock {
  const defined = node.getChild("BoundIdentifier");
  return { name: defined === null ? "" : textOf(source, defined), from: node.from, to: node.to };
}

/** Attributes stand before the function, as children of the node around both. */
function readAttributes(source: Source, node: SyntaxNode): string {
  const { parent } = node;
  if (parent?.name !== "AttributeItem") return "";
  return parent
    .getChildren("Attribute")
    .map((attribute) => textOf(source, attribute))
    .join(" ");
}

function judgeMacro(source: Source, node: SyntaxNode): FoundAssertion | null {
  const [named] = listChildren(node);
  const name = named === undefined ? "" : textOf(source, named);
  if (!assertingMacro.test(name)) return null;
  const tokens =
    node.getChild("ParenthesizedTokens") ?? node.getChild("BracketedTokens") ?? node.getChild("BracedTokens");
  const body = tokens === null ? "" : textOf(source, tokens).slice(1, -1).trim();
  if (/^(?:true|1\s*==\s*1|!false)\s*(?:,|$)/u.test(body)) return null;
  const equality =
    tokens !== null && tokens.getChildren("CompareOp").some((operator) => textOf(source, operator) === "==");
  const exact = /(?:_eq|_matches|_snapshot|_err|_ok|_relative_eq|_abs_diff_eq)\w*$/u.test(name);
  return { at: node.from, strong: exact || equality };
}
