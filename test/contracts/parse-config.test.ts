import { describe, expect, it } from "@jest/globals";
import { defaultConfig } from "../../src/contracts/config.ts";
import { parseConfig, parseConfigLayers } from "../../src/contracts/parse-config.ts";

describe("the configuration file", () => {
  it.each([
    ["absent in all but name", ""],
    ["only comments", "# nothing yet\n"],
    ["an empty document", "---\n"],
    ["an empty mapping", "{}\n"],
  ])("means all defaults when it is %s", (_what, text) => {
    expect(parseConfig(text)).toEqual({ config: defaultConfig(), problems: [] });
  });

  it("takes a key that JavaScript has a use for as the unknown setting it is, in either of two files", () => {
    const own = { where: null, text: "__proto__: { limits: { tries: 9 } }\n" };
    const shared = { where: "acme/settings", text: "version: 1\n" };
    for (const layers of [[own], [own, shared], [shared, own]])
      expect(parseConfigLayers(layers)).toMatchObject({ config: null, problems: [{ rule: "unknown-key", line: 1 }] });
  });

  it("is read with a byte order mark and Windows line ends", () => {
    const parsed = parseConfig("\uFEFFplan:\r\n  approval: auto\r\nlimits:\r\n  parallel: 2\r\n");
    expect(parsed.config).toMatchObject({ plan: { approval: "auto" }, limits: { parallel: 2 } });
  });

  it.each([
    ["a key given twice", "plan: {}\nplan: {}\n", "", "duplicate-key", 2],
    ["a key given twice deep inside", "limits:\n  tries: 1\n  tries: 2\n", "", "duplicate-key", 3],
    ["a key given twice, once escaped", 'version: 1\n"v\\u0065rsion": 1\n', "", "duplicate-key", 2],
    ["broken YAML", "plan: [", "", "yaml", 1],
    ["a foreign tag", "version: !!python/object 1\n", "", "yaml", 1],
    ["a list", "- 1\n", "", "invalid-type", undefined],
    ["a setting nobody knows", "plan:\n  approvals: auto\n", "/plan/approvals", "unknown-key", 2],
    ["a value that is not allowed", "plan:\n  approval: maybe\n", "/plan/approval", "invalid-value", 2],
    ["a number out of range", "limits:\n  parallel: 0\n", "/limits/parallel", "too-small", 2],
    ["a missing value", "floor:\n  test:\n    command: npm test\n", "/floor/test/report", "invalid-type", 2],
    ["an unknown agent", "roles:\n  planner: zed\n", "/roles/planner", "config", 2],
    ["two agents of one name", "agents:\n  - { name: a }\n  - { name: A }\n", "/agents/1/name", "config", 3],
    [
      "a command agent without a command",
      "agents:\n  - name: a\n    preset: command\n",
      "/agents/0/command",
      "config",
      2,
    ],
    ["a skill nobody defines", "agents:\n  - name: a\n    skills: [x]\n", "/agents/0/skills/0", "config", 3],
    ["a server nobody defines", "agents:\n  - name: a\n    mcps: [x]\n", "/agents/0/mcps/0", "config", 3],
    ["a skill outside the repository", "skills: { x: ../y }\n", "/skills/x", "config", 1],
    [
      "a server that wants the model's key",
      "mcps: { x: { command: c, env: [OPENAI_API_KEY] } }\n",
      "/mcps/x/env/0",
      "config",
      1,
    ],
    [
      "a server that wants GitHub's token",
      "mcps: { x: { command: c, env: [GITHUB_TOKEN] } }\n",
      "/mcps/x/env/0",
      "config",
      1,
    ],
    ["a plan file outside the repository", "plan: { source: file, file: /etc/passwd }\n", "/plan/file", "config", 1],
  ])("is refused with the place: %s", (_what, text, pointer, rule, line) => {
    const parsed = parseConfig(text);
    expect(parsed.config).toBeNull();
    expect(parsed.problems[0]).toMatchObject({ pointer, rule, ...(line === undefined ? {} : { line }) });
  });

  it("is refused with all of its problems at once", () => {
    const parsed = parseConfig("plan:\n  approval: maybe\n  speed: 9\nlimits:\n  tries: many\ncolour: red\n");
    expect(parsed.problems.map((problem) => problem.pointer).sort()).toEqual([
      "/colour",
      "/limits/tries",
      "/plan/approval",
      "/plan/speed",
    ]);
  });

  it("does not unfold a few lines into gigabytes", () => {
    const rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let depth = 1; depth < 12; depth += 1) {
      const last = `*a${depth - 1}`;
      rows.push(`a${depth}: &a${depth} [${Array.from({ length: 9 }, () => last).join(", ")}]`);
    }
    expect(parseConfig(rows.join("\n")).problems[0]).toMatchObject({ rule: "yaml" });
  });

  it("is refused when it is too long to be one", () => {
    expect(parseConfig(`# ${"x".repeat(300_000)}`).problems[0]).toMatchObject({ rule: "too-long" });
  });
});
