import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { jobOf, runTrial } from "./support/run-workflow.ts";

const report = `const fs = require("node:fs");
const env = process.env;
console.log("> " + [env.INPUT_GREETING, env["INPUT_TWO_WORDS"], env.INPUT_EMPTY].join("|"));
fs.appendFileSync(env.GITHUB_OUTPUT, "said=" + env.INPUT_GREETING + "\\n");
fs.appendFileSync(env.GITHUB_STATE, "opened=yes\\n");
`;

const repository = new SandboxRepository({
  ".github/actions/js/action.yml": `
name: Report
description: Says its inputs.
inputs:
  greeting: { description: x, default: "hello \${{ github.actor }}" }
  two words: { description: x }
  empty: { description: x, required: true }
outputs:
  said: { description: x }
runs: { using: node20, main: main.js, post: post.js }
`,
  ".github/actions/js/main.js": report,
  ".github/actions/js/post.js": `console.log("> post " + process.env.STATE_opened + " " + process.env.INPUT_GREETING);`,
  ".github/actions/mix/action.yaml": `
name: Mix
description: Several steps.
inputs:
  who: { description: x, default: nobody }
outputs:
  result: { description: x, value: "\${{ steps.inner.outputs.r }}+\${{ steps.js.outputs.said }}" }
runs:
  using: composite
  steps:
    - id: inner
      shell: bash
      run: |
        echo "> \${{ inputs.who }} $OUTER $OWN $(basename "$GITHUB_ACTION_PATH") $(basename "\${{ github.action_path }}")"
        echo "r=1" >> "$GITHUB_OUTPUT"
      env: { OWN: own }
    - id: js
      uses: ./.github/actions/js
      with: { greeting: "hi \${{ inputs.who }}" }
    - run: echo "> skipped"
      shell: bash
      if: inputs.who == 'somebody else'
`,
  ".github/actions/broken/action.yml": "name: x\nruns: { using: composite, steps: [{ run: 'true' }] }\n",
  ".github/actions/docker/action.yml": "name: x\ndescription: x\nruns: { using: docker, image: Dockerfile }\n",
  ".github/actions/failing/action.yml": `
name: x
description: x
runs:
  using: composite
  steps:
    - run: exit 4
      shell: bash
    - run: echo "> tidy"
      shell: bash
      if: always()
    - run: echo "> never"
      shell: bash
`,
});
afterAll(() => repository.remove());

async function use(steps: string, options = {}): Promise<{ said: string[]; conclusion: string; text: string }> {
  const { host, conclusion } = await runTrial(repository, jobOf(`- uses: actions/checkout@v5\n${steps}`), {}, options);
  return { said: (host.text.match(/^> .*/gm) ?? []).map((line) => line.slice(2)), conclusion, text: host.text };
}

describe("a JavaScript action", () => {
  it("gets its inputs, hands outputs on, and has its post step run at the end with its state", async () => {
    const { said, conclusion } = await use(`
- id: js
  uses: ./.github/actions/js
  with: { "two words": 2 }
- run: echo "> then \${{ steps.js.outputs.said }}"
`);
    expect(conclusion).toBe("success");
    expect(said).toEqual(["hello ada|2|", "then hello ada", "post yes hello ada"]);
  });

  it("runs from a mapped folder in place of a published one, whatever ref is named", async () => {
    const folder = path.join(repository.folder, "mapped");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, "action.yml"),
      "name: x\ndescription: x\ninputs: { mode: { description: x } }\nruns: { using: node24, main: dist/index.js }\n",
    );
    mkdirSync(path.join(folder, "dist"), { recursive: true });
    writeFileSync(
      path.join(folder, "dist/index.js"),
      `console.log("> mode " + process.env.INPUT_MODE + " " + process.env.KEY);`,
    );
    const { said, conclusion } = await use(
      `- uses: taskfleet/taskfleet/.github/actions/worker@v0\n  with: { mode: claim }\n  env: { KEY: k }`,
      { actionOverrides: { "taskfleet/taskfleet/.github/actions/worker": folder } },
    );
    expect([conclusion, said]).toEqual(["success", ["mode claim k"]]);
  });
});

describe("a composite action", () => {
  it("has inputs, outputs and steps of its own, and may use other actions", async () => {
    const { said, conclusion } = await use(`
- id: mix
  uses: ./.github/actions/mix
  with: { who: Ada }
  env: { OUTER: outer }
- run: echo "> \${{ steps.mix.outputs.result }} [\${{ steps.inner.outputs.r }}]"
`);
    expect(conclusion).toBe("success");
    expect(said).toEqual(["Ada outer own mix mix", "hi Ada||", "1+hi Ada []", "post yes hi Ada"]);
  });

  it("fails with its steps", async () => {
    const { said, conclusion } = await use(`- uses: ./.github/actions/failing\n- run: echo "> not reached"`);
    expect([conclusion, said]).toEqual(["failure", ["tidy"]]);
  });
});

describe("what cannot run here fails and says so", () => {
  it.each([
    ["actions/github-script@v8", "The sandbox cannot run 'actions/github-script@v8'"],
    ["docker://alpine:3", "The sandbox cannot run 'docker://alpine:3'"],
    ["./.github/actions/docker", "actions with `using: docker` do not run in the sandbox"],
    ["./.github/actions/missing", "Can't find 'action.yml' or 'action.yaml'"],
    ["./.github/actions/broken", "The action is not valid"],
    ["./../outside", "leaves the workspace"],
  ])("%s", async (uses, message) => {
    const { conclusion, text } = await use(`- uses: ${uses}`);
    expect(conclusion).toBe("failure");
    expect(text).toContain(message);
  });
});

describe("stand-ins", () => {
  it("say which Node is used and that there is no cache", async () => {
    const { said, text, conclusion } = await use(`
- uses: actions/setup-node@v5
  id: node
  with: { node-version: 4 }
- uses: actions/cache@v4
  id: cache
  with: { key: k, path: p }
- run: echo "> \${{ steps.node.outputs.node-version }} [\${{ steps.cache.outputs.cache-hit }}]"
`);
    expect(conclusion).toBe("success");
    expect(said).toEqual([`${process.version} []`]);
    expect(text).toContain(`##[warning]node-version '4' was asked for; the sandbox has ${process.version} only.`);
    expect(text).toContain("Cache not found for input keys: k");
  });

  it("fail on a cache miss where asked to", async () => {
    expect(
      (await use(`- uses: actions/cache/restore@v4\n  with: { key: k, path: p, fail-on-cache-miss: true }`)).conclusion,
    ).toBe("failure");
  });
});
