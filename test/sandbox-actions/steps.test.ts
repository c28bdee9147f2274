import { afterAll, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { jobOf, runTrial } from "./support/run-workflow.ts";

const repository = new SandboxRepository();
afterAll(() => repository.remove());

/** The lines of the job's log that start with `> `: what the test's own commands say. */
async function say(
  steps: string,
  jobKeys = "",
  overrides = {},
): Promise<{ said: string[]; conclusion: string; text: string }> {
  const { host, conclusion } = await runTrial(repository, jobOf(steps, jobKeys), overrides);
  const lines = host.text.split("\n");
  return {
    said: lines.filter((line) => line.startsWith("> ")).map((line) => line.slice(2)),
    conclusion,
    text: host.text,
  };
}

describe("the steps of a job", () => {
  it("hand outputs, variables and search paths on", async () => {
    const { said, conclusion } = await say(`
- id: first
  run: |
    printf 'value=1\\nlong<<END\\na\\nb\\nEND\\n' >> "$GITHUB_OUTPUT"
    echo "NAME=Ada" >> "$GITHUB_ENV"
    mkdir tool; printf '#!/bin/sh\\necho "> tool ran"' > tool/greet; chmod +x tool/greet
    echo "$PWD/tool" >> "$GITHUB_PATH"
    echo "> now \${NAME:-nobody}"
- run: |
    echo "> $VALUE $NAME \${{ env.NAME }}"
    echo "> $LONG" | tr '\\n' ' '; echo
    greet
  env:
    VALUE: \${{ steps.first.outputs.value }}
    LONG: \${{ steps.first.outputs.long }}
`);
    expect(conclusion).toBe("success");
    expect(said).toEqual(["now nobody", "1 Ada Ada", "a b ", "tool ran"]);
  });

  it("stop at the first failure except where a condition says otherwise", async () => {
    const { said, conclusion } = await say(`
- run: echo "> one"; exit 3
  id: one
- run: echo "> two"
- run: echo "> three"
  if: always()
- run: echo "> four \${{ steps.one.outcome }} \${{ steps.one.conclusion }} \${{ job.status }}"
  if: failure() && steps.one.outcome == 'failure'
- run: echo "> five"
  if: "!cancelled() && steps.two.outcome == ''"
`);
    expect(conclusion).toBe("failure");
    expect(said).toEqual(["one", "three", "four failure failure failure", "five"]);
  });

  it("go on after a failure under continue-on-error, whose outcome stays visible", async () => {
    const { said, conclusion } = await say(`
- run: exit 1
  id: shaky
  continue-on-error: true
- run: echo "> \${{ steps.shaky.outcome }} \${{ steps.shaky.conclusion }}"
`);
    expect([conclusion, said]).toEqual(["success", ["failure success"]]);
  });

  it("see env of workflow, job and step, the innermost first", async () => {
    const text = jobOf(`- run: echo "> $A $B $C"\n  env: { C: step }`, "env: { B: job, C: job }").replace(
      "jobs:",
      "env: { A: workflow, B: workflow, C: workflow }\njobs:",
    );
    const { host } = await runTrial(repository, text);
    expect(host.text).toContain("> workflow job step");
  });

  it("run under `bash -e`, with pipefail only when bash is named", async () => {
    const { said } = await say(`
- run: false | true; echo "> default goes on"
- run: false | true; echo "> bash goes on"
  shell: bash
  continue-on-error: true
- run: echo "> sh"
  shell: sh
- run: console.log("> node " + process.argv.length)
  shell: node {0}
`);
    expect(said).toEqual(["default goes on", "sh", "node 2"]);
  });

  it("run where working-directory and defaults say", async () => {
    const { said, conclusion } = await say(
      `
- run: mkdir -p a/b
  working-directory: .
- run: echo "> $(basename "$PWD")"
- run: echo "> $(basename "$PWD")"
  working-directory: a/b
- run: echo "> never"
  working-directory: missing
`,
      "defaults: { run: { working-directory: a } }",
    );
    expect([conclusion, said]).toEqual(["failure", ["a", "b"]]);
  });

  it("have values of expressions put into their scripts before the shell sees them", async () => {
    const { said } = await say(`- run: echo "> \${{ inputs.text }}"`, "", {
      event: { name: "workflow_dispatch", inputs: { text: '$(echo injected)"; echo "> more' } },
      workflow: {
        path: ".github/workflows/w.yml",
        text: jobOf(`- run: echo "> \${{ inputs.text }}"`).replace(
          "on: workflow_dispatch",
          "on: { workflow_dispatch: { inputs: { text: {} } } }",
        ),
      },
    });
    // As dangerous as on GitHub, which is why the product's own workflows pass values by env.
    expect(said).toEqual(["injected", "more"]);
  });

  it("fail when they use what is switched off or write what is refused", async () => {
    for (const script of [
      `echo "::set-env name=A::b"`,
      `echo "NODE_OPTIONS=--require=x" >> "$GITHUB_ENV"`,
      `echo "broken" >> "$GITHUB_OUTPUT"`,
    ]) {
      const { conclusion } = await say(`- run: ${JSON.stringify(script)}`);
      expect([script, conclusion]).toEqual([script, "failure"]);
    }
  });

  it("fail, and say why, when an expression cannot be evaluated", async () => {
    const { conclusion, text } = await say(`- run: echo "\${{ fromJSON('{') }}"`);
    expect(conclusion).toBe("failure");
    expect(text).toMatch(/##\[error\].*JSON/);
  });

  it("write summaries that reach the host", async () => {
    const { host } = await runTrial(repository, jobOf(`- run: echo "# Result" >> "$GITHUB_STEP_SUMMARY"`));
    expect(host.summaries).toEqual(["# Result\n"]);
  });
});

describe("the log of a job", () => {
  it("never shows a secret, a mask or the token, in any encoding it knows", async () => {
    const { host } = await runTrial(
      repository,
      jobOf(`
- run: |
    echo "$KEY" | rev | rev; echo "$KEY" | base64 | tr -d '\\n'; echo
    echo "$TOKEN"; echo "::add-mask::found""-out"; echo "found""-out"
    echo "$LINES" | tail -1
  env:
    KEY: \${{ secrets.KEY }}
    LINES: \${{ secrets.LINES }}
    TOKEN: \${{ github.token }}
`),
      { secrets: { KEY: "open-sesame", LINES: "first-line\nsecond-line" } },
    );
    for (const secret of ["open-sesame", "found-out", "ghs_token", "second-line", "b3Blbi1zZXNhbW"])
      expect(host.text).not.toContain(secret);
    expect(host.text).toContain("***");
  });

  it("shows commands as plain text between stop-commands and its token", async () => {
    const { host } = await runTrial(
      repository,
      jobOf(`
- run: |
    echo "::stop-commands::pause-7"
    echo "::add-mask::visible"
    echo "::pause-7::"
    echo "::add-mask::hidden"; echo "visible hidden"
`),
    );
    expect(host.text).toContain("\nvisible ***");
  });

  it("is cut, with a notice, where it grows too large", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      jobOf(`- run: yes 0123456789 | head -c 200000; head -c 300000 /dev/zero | tr '\\0' x`),
      {},
      { maxLogBytes: 50_000 },
    );
    expect(conclusion).toBe("success");
    expect(Buffer.byteLength(host.text)).toBeLessThan(51_000);
    expect(host.text).toMatch(/cut here: it is larger than 50000 bytes/);
  });

  it("does not take a job's output that a secret is part of to the next job", async () => {
    const text = `on: workflow_dispatch
jobs:
  one:
    runs-on: x
    outputs: { clean: "\${{ steps.s.outputs.clean }}", dirty: "\${{ steps.s.outputs.dirty }}" }
    steps:
      - id: s
        run: printf 'clean=ok\\ndirty=has open-sesame inside\\n' >> "$GITHUB_OUTPUT"
  two:
    needs: one
    runs-on: x
    steps:
      - run: echo "> [\${{ needs.one.outputs.clean }}] [\${{ needs.one.outputs.dirty }}]"
`;
    const { host } = await runTrial(repository, text, { secrets: { KEY: "open-sesame" } });
    expect(host.text).toContain("> [ok] []");
    expect(host.text).toContain("Skip output 'dirty' since it may contain secret.");
  });
});
