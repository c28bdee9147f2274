import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { parseCommandFile } from "../../src/sandbox/actions/command-files.ts";
import { parseWorkflowCommand } from "../../src/sandbox/actions/workflow-commands.ts";

describe("a command file", () => {
  it.each<[text: string, values: Record<string, string>]>([
    ["", {}],
    ["a=1\n\nb=x=y\r\n", { a: "1", b: "x=y" }],
    ["a=\n", { a: "" }],
    ["a<<END\none\ntwo=2\nEND\nb=3", { a: "one\ntwo=2", b: "3" }],
    ["a<<END\nEND\n", { a: "" }],
    ["a=1<<END\n", { a: "1<<END" }],
    ["a=1\na=2", { a: "2" }],
  ])("%j", (text, values) => {
    expect(parseCommandFile(text)).toEqual(values);
  });

  it.each([
    ["no separator", "Invalid format 'no separator'"],
    ["a<<END\nnever", "Matching delimiter not found 'END'"],
    ["=x", "Name must not be empty"],
    ["a<<\n", "delimiter must not be empty"],
  ])("%j is refused", (text, message) => {
    expect(() => parseCommandFile(text)).toThrow(message);
  });

  it("gives back every value written with a delimiter that is not part of it", () => {
    const value = fc.string({ unit: fc.constantFrom("a", "=", "<", "\n", ":", " ") });
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value), (values) => {
        const text = Object.entries(values)
          .map(([name, entry]) => `${name}<<ghadelimiter_1\n${entry}\nghadelimiter_1\n`)
          .join("");
        expect(parseCommandFile(text)).toEqual({ ...values });
      }),
    );
  });
});

describe("a workflow command", () => {
  it.each([
    ["::add-mask::s3cret", "add-mask", {}, "s3cret"],
    ["::error file=a.ts,line=3::it%0Afailed 100%25", "error", { file: "a.ts", line: "3" }, "it\nfailed 100%"],
    ["  ::group::Install", "group", {}, "Install"],
    ["::warning title=a%3Ab%2Cc::x::y", "warning", { title: "a:b,c" }, "x::y"],
    ["::endgroup::", "endgroup", {}, ""],
  ])("%s", (line, name, properties, message) => {
    expect(parseWorkflowCommand(line)).toEqual({ name, properties, message });
  });

  it.each(["std::vector", "plain", "::", "::open", ":: ::x", "::::x"])("%j is a line like any other", (line) => {
    expect(parseWorkflowCommand(line)).toBeNull();
  });
});
