import { afterAll, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { jobOf, runTrial } from "./support/run-workflow.ts";

const repository = new SandboxRepository();
afterAll(() => repository.remove());

const ok = "steps: [{ run: 'true' }]";
const bad = "steps: [{ run: 'false' }]";

async function conclude(jobs: Record<string, string>): Promise<Record<string, unknown>> {
  const lines = Object.entries(jobs).map(([id, keys]) => `  ${id}: { runs-on: x, ${keys} }`);
  const { host, conclusion } = await runTrial(repository, `on: workflow_dispatch\njobs:\n${lines.join("\n")}\n`);
  return { run: conclusion, ...host.conclusions };
}

describe("jobs", () => {
  it("wait for what they need, wherever it stands in the file", async () => {
    const text = `on: workflow_dispatch
jobs:
  last:
    needs: [first, second]
    runs-on: x
    steps: [{ run: 'echo "> \${{ needs.first.outputs.v }}\${{ needs.second.outputs.v }} \${{ needs.first.result }}"' }]
  first:
    runs-on: x
    outputs: { v: "\${{ steps.s.outputs.v }}" }
    steps: [{ id: s, run: 'echo v=1 >> "$GITHUB_OUTPUT"' }]
  second:
    needs: first
    runs-on: x
    outputs: { v: "\${{ steps.s.outputs.v }}" }
    steps: [{ id: s, run: 'echo v=\${{ needs.first.outputs.v }}2 >> "$GITHUB_OUTPUT"' }]
`;
    const { host } = await runTrial(repository, text);
    expect(host.jobs.map((job) => job.name)).toEqual(["first", "second", "last"]);
    expect(host.text).toContain("> 112 success");
  });

  it("are skipped behind a failure, and so is what needs them", async () => {
    expect(await conclude({ a: bad, b: `needs: a, ${ok}`, c: `needs: b, ${ok}` })).toEqual({
      run: "failure",
      a: "failure",
      b: "skipped",
      c: "skipped",
    });
  });

  it("run behind a failure where their condition says so", async () => {
    expect(
      await conclude({
        a: bad,
        b: `needs: a, if: always(), ${ok}`,
        c: `needs: a, if: failure(), ${ok}`,
        d: `needs: a, if: "needs.a.result == 'failure'", ${ok}`,
      }),
    ).toEqual({ run: "failure", a: "failure", b: "success", c: "success", d: "skipped" });
  });

  it("look at all ancestors: a skipped grandparent skips the grandchild of a parent that ran", async () => {
    expect(
      await conclude({
        a: `if: "false", ${ok}`,
        b: `needs: a, if: "!cancelled()", ${ok}`,
        c: `needs: b, ${ok}`,
        d: `needs: b, if: "!cancelled() && needs.b.result == 'success'", ${ok}`,
      }),
    ).toEqual({ run: "success", a: "skipped", b: "success", c: "skipped", d: "success" });
  });

  it("conclude a run in which nothing ran as skipped", async () => {
    expect(await conclude({ a: `if: github.event_name == 'push', ${ok}` })).toEqual({ run: "skipped", a: "skipped" });
  });

  it("do not fail the run under continue-on-error", async () => {
    expect(await conclude({ a: `continue-on-error: true, ${bad}`, b: `needs: a, ${ok}` })).toEqual({
      run: "success",
      a: "failure",
      b: "success",
    });
  });

  it("of a matrix run once per combination, named after it", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      jobOf(
        `- run: echo "> \${{ matrix.a }} \${{ strategy.job-index }}/\${{ strategy.job-total }}"`,
        "strategy: { max-parallel: 1, matrix: { a: [x, y] } }",
      ),
    );
    expect([conclusion, Object.keys(host.conclusions)]).toEqual(["success", ["trial (x)", "trial (y)"]]);
    expect(host.text.match(/^> .*/gm)).toEqual(["> x 0/2", "> y 1/2"]);
  });

  it("of a matrix made by another job's output run, too", async () => {
    const text = `on: workflow_dispatch
jobs:
  list:
    runs-on: x
    outputs: { items: "\${{ steps.s.outputs.items }}" }
    steps: [{ id: s, run: 'echo "items=[1,2]" >> "$GITHUB_OUTPUT"' }]
  each:
    needs: list
    runs-on: x
    name: item \${{ matrix.item }}
    strategy: { matrix: { item: "\${{ fromJSON(needs.list.outputs.items) }}" } }
    steps: [{ run: 'true' }]
`;
    const { host } = await runTrial(repository, text);
    expect(host.conclusions).toEqual({ list: "success", "item 1": "success", "item 2": "success" });
  });

  it("of a matrix are cancelled when one fails, unless fail-fast is off", async () => {
    const steps = `- run: if [ "\${{ matrix.a }}" = x ]; then exit 1; fi`;
    const first = await runTrial(repository, jobOf(steps, "strategy: { max-parallel: 1, matrix: { a: [x, y] } }"));
    expect([first.conclusion, first.host.conclusions]).toEqual([
      "failure",
      { "trial (x)": "failure", "trial (y)": "cancelled" },
    ]);
    const second = await runTrial(
      repository,
      jobOf(steps, "strategy: { fail-fast: false, max-parallel: 1, matrix: { a: [x, y] } }"),
    );
    expect([second.conclusion, second.host.conclusions]).toEqual([
      "failure",
      { "trial (x)": "failure", "trial (y)": "success" },
    ]);
  });

  it("fail loudly where they ask for what the sandbox has not", async () => {
    for (const keys of ["container: node:24", "services: { db: { image: postgres } }"]) {
      const { host, conclusion } = await runTrial(repository, jobOf("- run: echo hi", keys));
      expect(conclusion).toBe("failure");
      expect(host.text).toMatch(/##\[error\]The sandbox cannot run jobs with `(?:container|services)`/);
    }
  });

  it("say that concurrency and environments have no effect", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      jobOf("- run: 'true'", "concurrency: one\nenvironment: live"),
    );
    expect(conclusion).toBe("success");
    expect(host.text).toContain("`concurrency` has no effect in the sandbox.");
    expect(host.text).toContain("`environment` has no effect in the sandbox.");
  });

  it("never start from a file with errors", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      "on: workflow_dispatch\njobs: { a: { runs-on: x, steps: [{ runs: 'true' }] } }",
    );
    expect([conclusion, host.jobs]).toEqual(["startup_failure", []]);
  });
});
