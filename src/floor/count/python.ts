import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";
import type { Findings, FoundAssertion, FoundBlock, FoundCall, JudgedCall } from "./assertion-tally.ts";
import { listArguments, listChildren, textOf, visitNodes, type Source } from "./syntax.ts";

export function parsePython(text: string): Source {
  return { text, tree: parser.parse(text) };
}

const literals: ReadonlySet<string> = new Set(["Number", "String", "Boolean", "None"]);
const weakMethod =
  /^(?:assertTrue|assertFalse|assertIsNotNone|assertNot.*|assertIsInstance|assertGreater.*|assertLess.*|assert_|assert_called|assert_called_once|assert_not_.*|assert_any_call)$/u;

export function findPythonAssertions(source: Source): Findings {
  const assertions: FoundAssertion[] = [];
  const tests: FoundBlock[] = [];
  const helpers: FoundBlock[] = [];
  const calls: FoundCall[] = [];
  visitNodes(source, (node) => {
    if (node.name === "AssertStatement") {
      const assertion = judgeStatement(source, node);
      if (assertion !== null) assertions.push(assertion);
    } else if (node.name === "CallExpression") {
      const name = readName(source, node);
      const assertion = judgeCall(source, node, name);
      if (assertion === null) calls.push({ name: name.split(".").at(-1) ?? "", at: node.from });
      else if (assertion !== "void") assertions.push(assertion);
    } else if (node.name === "FunctionDefinition") {
      const defined = node.getChild("VariableName");
      const block = { name: defined === null ? "" : textOf(source, defined), from: node.from, to: node.to };
      (block.name.startsWith("test") ? tests : helpers).push(block);
    }
  });
  return { assertions, tests, helpers, calls };
}

function judgeStatement(source: Source, node: SyntaxNode): FoundAssertion | null {
  const condition = listChildren(node).find((child) => child.name !== "assert" && child.name !== "Comment");
  if (condition === undefined || isConstant(condition)) return null;
  return { at: node.from, strong: isExact(source, condition) };
}

/** An equality, membership or identity anywhere at the top of the condition; `is not`, `!=`, `>` want little. */
function isExact(source: Source, node: SyntaxNode): boolean {
  if (node.name === "ParenthesizedExpression") return listArguments(node).some((child) => isExact(source, child));
  if (node.name !== "BinaryExpression") return false;
  const parts = listChildren(node);
  if (parts.some((part) => part.name === "not")) return false;
  const exact = parts.some(
    (part) => (part.name === "CompareOp" && textOf(source, part) === "==") || part.name === "in" || part.name === "is",
  );
  return exact || parts.some((part) => isExact(source, part));
}

function isConstant(node: SyntaxNode): boolean {
  if (literals.has(node.name)) return true;
  if (node.name !== "BinaryExpression" && node.name !== "UnaryExpression" && node.name !== "ParenthesizedExpression")
    return false;
  return listArguments(node).every(
    (child) => child.name === "CompareOp" || child.name === "ArithOp" || isConstant(child),
  );
}

function readName(source: Source, call: SyntaxNode): string {
  const [callee] = listChildren(call);
  if (callee === undefined) return "";
  return callee.name === "VariableName" || callee.name === "MemberExpression" ? textOf(source, callee) : "";
}

function judgeCall(source: Source, call: SyntaxNode, name: string): JudgedCall {
  const last = name.split(".").at(-1) ?? "";
  const values = listArguments(call.getChild("ArgList"));
  if (/^(?:pytest\.)?(?:raises|warns|deprecated_call)$/u.test(name)) return { at: call.from, strong: true };
  if (name === "pytest.fail" || name === "self.fail") return { at: call.from, strong: false };
  if (!/^(?:assert[A-Z_]\w*|assert_)$/u.test(last)) return null;
  if (values.length > 0 && values.every(isConstant)) return "void";
  const [first] = values;
  if (weakMethod.test(last)) return { at: call.from, strong: first !== undefined && isExact(source, first) };
  return { at: call.from, strong: true };
}
