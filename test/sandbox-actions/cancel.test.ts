import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { jobOf, runTrial, startTrial } from "./support/run-workflow.ts";

const repository = new SandboxRepository();
afterAll(() => repository.remove());

/** Long enough that only a test that is about to fail meets them, unless it sets its own. */
const patient = { interruptMs: 60_000, terminateMs: 60_000, outputMs: 5_000, cancelMs: 60_000 };

/** A Node program that says what it receives; it ends on the signal given last. */
function program(signals: readonly NodeJS.Signals[]): string {
  const handlers = signals.map((signal, index) => {
    const end = index === signals.length - 1 ? "process.exit(0);" : "";
    return `process.on("${signal}", () => { console.log("got ${signal}"); ${end} });`;
  });
  return `${handlers.join(" ")} setInterval(() => {}, 1000); console.log("ready");`;
}

function nodeStep(source: string, keys = ""): string {
  return `- run: ${JSON.stringify(source)}\n  shell: node {0}\n${keys}`;
}

describe("a cancelled run", () => {
  it("asks with SIGINT, which is enough for a program that listens", async () => {
    const trial = startTrial(repository, jobOf(nodeStep(program(["SIGINT"]))), {}, { times: patient });
    await trial.host.waitForLine("ready");
    trial.cancel();
    const { conclusion } = await trial.end;
    expect([conclusion, trial.host.conclusions]).toEqual(["cancelled", { trial: "cancelled" }]);
    expect(trial.host.text).toMatch(/^got SIGINT$/m);
  });

  it("goes on to SIGTERM after the first patience", async () => {
    const steps = nodeStep(program(["SIGINT", "SIGTERM"]));
    const trial = startTrial(repository, jobOf(steps), {}, { times: { ...patient, interruptMs: 1 } });
    await trial.host.waitForLine("ready");
    trial.cancel();
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(trial.host.text).toMatch(/^got SIGTERM$/m);
  });

  it("kills what listens to neither, with everything it has started", async () => {
    const mark = `${repository.folder}/alive-${process.pid}`;
    const steps = nodeStep(
      `require("child_process").spawn("sh", ["-c", "trap '' INT TERM; touch ${mark}; while [ -e ${mark} ]; do sleep 0.05; done; touch ${mark}-ended"], { stdio: "ignore" });
       ${program(["SIGINT", "SIGTERM", "SIGUSR2"])}`,
    );
    const trial = startTrial(repository, jobOf(steps), {}, { times: { ...patient, interruptMs: 1, terminateMs: 1 } });
    await trial.host.waitForLine("ready");
    trial.cancel();
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(listProcesses(mark)).toEqual([]);
    expect(existsSync(`${mark}-ended`)).toBe(false);
  });

  it("skips the steps that follow but for those whose condition still holds", async () => {
    const steps = `${nodeStep(program(["SIGINT"]), "  id: wait\n")}
- run: echo "> not this"
- run: echo "> always \${{ job.status }} \${{ steps.wait.outcome }}"
  if: always()
- run: echo "> cancelled"
  if: cancelled()
- run: echo "> not after a failure"
  if: failure()
`;
    const trial = startTrial(repository, jobOf(steps), {}, { times: patient });
    await trial.host.waitForLine("ready");
    trial.cancel();
    await trial.end;
    expect(trial.host.text.match(/^> .*/gm)).toEqual(["> always cancelled cancelled", "> cancelled"]);
  });

  it("lets a running step go on whose condition holds also when cancelled", async () => {
    const release = `${repository.folder}/release`;
    const steps = `- run: |
    echo ready
    while [ ! -e ${release} ]; do sleep 0.02; done
    echo "> finished"
  if: always()
`;
    const trial = startTrial(repository, jobOf(steps), {}, { times: patient });
    await trial.host.waitForLine("ready");
    trial.cancel();
    writeFileSync(release, "");
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(trial.host.text).toContain("> finished");
  });

  it("is forced in the end, whatever always() says", async () => {
    const steps = nodeStep(program(["SIGINT", "SIGTERM", "SIGUSR2"]), "  if: always()\n");
    const trial = startTrial(repository, jobOf(steps), {}, { times: { ...patient, cancelMs: 1 } });
    await trial.host.waitForLine("ready");
    trial.cancel();
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(trial.host.text).not.toMatch(/^got /m);
  });

  it("starts no further job but those whose condition holds", async () => {
    const text = `on: workflow_dispatch
jobs:
  one:
    runs-on: x
    steps:
      - run: ${JSON.stringify(program(["SIGINT"]))}
        shell: node {0}
  two:
    needs: one
    runs-on: x
    steps: [{ run: 'true' }]
  three:
    needs: one
    if: always()
    runs-on: x
    steps: [{ run: 'echo "> tidy"' }]
`;
    const trial = startTrial(repository, text, {}, { times: patient });
    await trial.host.waitForLine("ready");
    trial.cancel();
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(trial.host.conclusions).toEqual({ one: "cancelled", two: "cancelled", three: "success" });
    expect(trial.host.text).toContain("> tidy");
  });
});

describe("a job whose condition holds when its run is cancelled", () => {
  it("goes on undisturbed", async () => {
    const release = `${repository.folder}/release-job`;
    const text = `on: workflow_dispatch
jobs:
  one:
    if: always()
    runs-on: x
    steps:
      - run: "echo ready; while [ ! -e ${release} ]; do sleep 0.02; done"
      - run: echo "> finished"
  two:
    runs-on: x
    steps:
      - run: ${JSON.stringify(program(["SIGINT"]))}
        shell: node {0}
`;
    const trial = startTrial(repository, text, {}, { times: patient });
    await trial.host.waitForLine("ready");
    trial.cancel();
    writeFileSync(release, "");
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(trial.host.conclusions).toEqual({ one: "success", two: "cancelled" });
    expect(trial.host.text).toContain("> finished");
  });

  it("is forced in the end like any other", async () => {
    const text = jobOf(nodeStep(program(["SIGINT", "SIGTERM", "SIGUSR2"])), "if: always()");
    const trial = startTrial(repository, text, {}, { times: { ...patient, cancelMs: 1 } });
    await trial.host.waitForLine("ready");
    trial.cancel();
    expect((await trial.end).conclusion).toBe("cancelled");
    expect(trial.host.conclusions).toEqual({ trial: "cancelled" });
  });
});

describe("time", () => {
  it("limits a step, which then has failed", async () => {
    const steps = `${nodeStep(program(["SIGINT"]), "  timeout-minutes: 0.003\n")}
- run: echo "> after"
  if: failure()
`;
    const { host, conclusion } = await runTrial(repository, jobOf(steps), {}, { times: patient });
    expect(conclusion).toBe("failure");
    expect(host.text).toContain("has timed out after 0.003 minutes.");
    expect(host.text).toContain("> after");
  });

  it("takes what a step started with it", async () => {
    const mark = `limited-${process.pid}`;
    const steps = `
- run: |
    (exec -a ${mark} sleep 600) > /dev/null 2>&1 &
    wait
  timeout-minutes: 0.005
- run: echo "> $(pgrep -fc "^${mark}") left"
  if: failure()
`;
    const { host } = await runTrial(repository, jobOf(steps), {}, { times: patient });
    expect(host.text.match(/^> .*/gm)).toEqual(["> 0 left"]);
  });

  it("limits a job, which then is cancelled", async () => {
    const { host, conclusion } = await runTrial(
      repository,
      jobOf(nodeStep(program(["SIGINT"])), "timeout-minutes: 0.003"),
      {},
      { times: patient },
    );
    expect(conclusion).toBe("cancelled");
    expect(host.text).toContain("exceeded the maximum execution time of 0.003 minutes");
  });
});

describe("when a job is over", () => {
  it("background processes of its steps are, too, even in sessions of their own", async () => {
    const mark = `background-${process.pid}`;
    const steps = `
- run: |
    (exec -a ${mark}-plain sleep 600) > /dev/null 2>&1 &
    setsid bash -c 'exec -a ${mark}-session sleep 600' > /dev/null 2>&1 &
    echo started
- run: |
    for i in $(seq 100); do [ $(pgrep -fc "^${mark}-") = 2 ] && break; sleep 0.05; done
    echo "> $(pgrep -fc "^${mark}-") alive"
`;
    const { host, conclusion } = await runTrial(repository, jobOf(steps));
    expect([conclusion, host.text.match(/^> .*/gm)]).toEqual(["success", ["> 2 alive"]]);
    expect(listProcesses(mark)).toEqual([]);
  });

  it("a background process that holds the output open delays its step by no more than the set time", async () => {
    const steps = `- run: sleep 600 &\n- run: echo "> next"`;
    const { host, conclusion } = await runTrial(repository, jobOf(steps), {}, { times: { outputMs: 50 } });
    expect([conclusion, host.text.match(/^> .*/gm)]).toEqual(["success", ["> next"]]);
  });
});

/** Processes whose command line holds a text, this one aside. */
function listProcesses(text: string): readonly string[] {
  return readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && readCommandLine(pid).includes(text),
  );
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
