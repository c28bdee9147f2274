import { describe, expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { alwaysSucceeds } from "../../../src/plan/lint/always-succeeds.ts";
import { splitShell } from "../../../src/plan/lint/split-shell.ts";

/** `W` stands for a command whose outcome depends on the work. */
const cannotFail = [
  "true",
  ":",
  "  true  ",
  "exit 0",
  "echo done",
  "printf x",
  "sleep 0",
  "echo done; true",
  "W || true",
  "W ||:",
  "W || exit 0",
  "W || echo failed",
  "W || printf no",
  "W; exit 0",
  "W; true",
  "W\necho ok",
  "W &",
  "W | tee log",
  "W | cat",
  "W | tail -n 5",
  "W | head -3",
  "W | sort -u | uniq",
  "W | wc -l",
  "(W || true)",
  "{ W; true; }",
  "W >/dev/null 2>&1 || true",
  "W > log; echo $?",
  "# nothing",
  "true # W",
  "W || true # really",
  'echo "$(W)"',
  "echo `W`",
  "echo 'a && b'; echo \"c || d\"",
  "W \\\n || true",
  "W ||\n true",
  "exit 0; W",
  "false || true",
  "true && true",
  "true || W",
  "W && true || true",
  "W && W || true",
  "set -x; W; true",
  "export A=1",
  "echo a\\;b",
];

const canFail = [
  "W",
  "false",
  "exit 1",
  "W && echo ok",
  "true && W",
  "echo a && W",
  "W || false",
  "W || W",
  "W || exit 1",
  "W || (echo no; exit 1)",
  "W || { echo no; exit 1; }",
  "W; W",
  "true; W",
  "true | W",
  "set -e; W; echo done",
  "set -eu\nW\necho ok",
  "W && exit 0",
  "W || exit 1; echo ok",
  "exit 1; true",
  "if W; then exit 1; fi",
  "! W",
  "for a in 1 2; do W; done",
  "while W; do true; done",
  "case x in *) W;; esac",
  "set -o pipefail; W | tee log",
  "cat missing-file",
  "head -n 1 missing-file",
  "$(W)",
  "W 'unclosed",
  'W "unclosed',
  "W `unclosed",
  "(W",
  "W <<EOF\ntrue\nEOF",
  "truer",
  "echoes",
  "exit",
  "W; exit",
  "trap 'exit 1' EXIT; W; true",
  "f() { W; }; f",
];

describe("a command that always succeeds", () => {
  it.each(cannotFail)("%j", (command) => {
    expect(alwaysSucceeds(command)).toBe(true);
    // The shell agrees, whether the work is done or not.
    for (const outcome of ["true", "false"]) {
      const { status } = spawnSync("sh", ["-c", command.replaceAll("W", outcome).replaceAll("log", "/dev/null")], {
        stdio: "ignore",
      });
      expect([outcome, status]).toEqual([outcome, 0]);
    }
  });
});

describe("a command that can fail, or of which nobody knows", () => {
  it.each(canFail)("%j", (command) => {
    expect(alwaysSucceeds(command)).toBe(false);
  });
});

describe("a command line", () => {
  const split = (command: string) =>
    splitShell(command)?.map(({ joint, text, background }) => `${joint} ${text}${background ? " &" : ""}`);

  it.each([
    ["a && b || c; d | e", ["; a", "&& b", "|| c", "; d", "| e"]],
    ["a & b", ["; a &", "; b"]],
    ["a >&2 2>&1 &> x", ["; a >&2 2>&1 &> x"]],
    ["a\n\nb", ["; a", "; b"]],
    ["a &&\n\n b", ["; a", "&& b"]],
    ["a \\\nb", ["; a b"]],
    ["a \\; b", ["; a \\; b"]],
    ['a \'x;y\' "p\\"|q" `r&s`', ['; a \'x;y\' "p\\"|q" `r&s`']],
    ["(a; b) | { c; d; }", ["; (a; b)", "| { c; d; }"]],
    ["a $(b; c) && d", ["; a $(b; c)", "&& d"]],
    ["a # b; c\nd", ["; a", "; d"]],
    ["a#b; c", ["; a#b", "; c"]],
    ["", []],
    [";;", []],
  ])("%j has the parts %j", (command, parts) => {
    expect(split(command)).toEqual(parts);
  });

  it.each(["a 'b", 'a "b', "a `b", "(a", "a)", "a << X", "a 'b\\'c'"])("%j is not understood", (command) => {
    expect(splitShell(command)).toBeNull();
  });
});
