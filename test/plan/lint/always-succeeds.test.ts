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
  "W && exit 0; true",
  "W || exit 0; true",
  "W | cat > log",
  "W | cat >> log 2>&1",
  "W | head -c 10",
  "W | tee log | cat",
  "(W || true) > log",
  "{ W || true; } 2> log",
  "{ true; }",
  "exit 0 2>&1",
  "W | W | cat",
  "true & true",
  "W & true",
  "set -x\nW || true",
  "set -e; true; W || true",
  "set -e; W || true; echo ok",
  "pwd",
  "wait",
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
  "set -xe; W; true",
  "set -e; W && true; true",
  "W | cat; W",
  "W || true && W",
  "true && W || false",
  "true; W || exit 3; true",
  "set -e; W; exit 0",
  "until W; do true; done",
  "function f { W; }; f",
  "(W; true) && W",
  "(true) W",
  "{ W; }",
  "{ true; } && W",
  "exit 10",
  "exit 01",
  "W | grep x",
  "grep x",
  "cat log x",
  "sort -k 2 x",
  "tees",
  "concat",
  "W || exit $?",
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
    ["a; ; b", ["; a", "; b"]],
    [" a  ||  b ", ["; a", "|| b"]],
    ["a &&\n\n\nb; c", ["; a", "&& b", "; c"]],
    ["a x # y\nb", ["; a x", "; b"]],
    ["a x#y", ["; a x#y"]],
    ["a < f & b", ["; a < f &", "; b"]],
    ["a >& f", ["; a >& f"]],
  ])("%j has the parts %j", (command, parts) => {
    expect(split(command)).toEqual(parts);
  });

  it.each(["a 'b", 'a "b', "a `b", "(a", "a)", "a << X", "a 'b\\'c'"])("%j is not understood", (command) => {
    expect(splitShell(command)).toBeNull();
  });
});
