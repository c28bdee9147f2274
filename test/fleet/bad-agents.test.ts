import { afterEach, describe, expect, it } from "@jest/globals";
import { zipSync, strToU8 } from "fflate";
import { RESULT_FILE } from "../../src/contracts/job.ts";
import { openStage, type Stage } from "./fleet-stage.ts";
import {
  type Answer,
  answerHonestly,
  buildDraft,
  changeSet,
  type Job,
  ONE_CHUNK,
  text,
  unusable,
  write,
} from "./scripted-jobs.ts";

let stage: Stage;
afterEach(async () => stage.close());

/** Answers the first attempt badly and every other job honestly. */
function firstAttempt(answer: (job: Job) => Answer) {
  return (job: Job): Answer | null =>
    job.request.role === "implement" && job.request.attempt === 1 ? answer(job) : null;
}

function zip(name: string, content: Uint8Array): Answer {
  return { kind: "zip", bytes: zipSync({ [name]: content }, { level: 9 }) };
}

describe("an agent that gives nothing usable", () => {
  it.each<readonly [string, (job: Job) => Answer]>([
    ["says so", ({ request }) => unusable(request, "the agent printed nothing")],
    ["leaves an artifact that is no zip", () => ({ kind: "zip", bytes: strToU8("garbage") })],
    ["leaves JSON of another kind", () => zip(RESULT_FILE, strToU8('{"hello": "world"}'))],
    ["leaves text that is no JSON", () => zip(RESULT_FILE, strToU8("I have done it!"))],
    ["leaves another file", () => zip("other.json", strToU8("{}"))],
    ["leaves a zip bomb", () => zip(RESULT_FILE, new Uint8Array(64 * 1024 * 1024))],
    ["leaves 33 MB", () => zip(RESULT_FILE, strToU8(JSON.stringify({ text: "x".repeat(33 * 1024 * 1024) })))],
    ["answers for another job", ({ request }) => unusable({ ...request, job: "1-other/implement:x/1" }, "nothing")],
  ])("is tried again when it %s", async (_name, answer) => {
    stage = await openStage({ script: firstAttempt(answer) });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    expect(stage.requests.filter((request) => request.role === "implement")).toHaveLength(2);
  });

  it("is a person's business after two times, in one comment with the options", async () => {
    stage = await openStage({
      script: ({ request }) => (request.role === "implement" ? unusable(request, "the agent printed nothing") : null),
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    const { body } = await stage.ownComment(issue, /^need:escalation:/u);
    for (const said of ["greeting", "/retry greeting", "/skip greeting", "the agent printed nothing"])
      expect(body).toContain(said);
    expect(stage.requests.filter((request) => request.role === "implement")).toHaveLength(2);
  });
});

describe("the prompt an agent was given", () => {
  it("is recorded with the end of its job, whatever the agent made of it", async () => {
    const promptVersion = "implement@7 common@3";
    stage = await openStage({
      script: (job) => {
        const { request } = job;
        if (request.role !== "implement") return null;
        const { job: id, commit, role } = request;
        const common = { v: 1, job: id, commit, role, usage: null, promptVersion };
        const result =
          request.attempt === 1
            ? { ...common, outcome: "unusable", cause: "the agent printed nothing" }
            : { ...common, outcome: "done", summary: "done", payload: answerHonestly(job, ONE_CHUNK) };
        return { kind: "result", result };
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    const ended = stage.facts().filter((fact) => fact.kind === "JobEnded");
    const implemented = ended.filter((fact) => fact.job.includes("/implement:"));
    expect(implemented).toMatchObject([
      { outcome: "unusable", promptVersion },
      { outcome: "done", promptVersion },
    ]);
    // No agent, no prompt.
    for (const fact of ended.filter((one) => one.job.includes("/floor")))
      expect(fact).not.toHaveProperty("promptVersion");
  });
});

describe("a change set that would do harm", () => {
  it.each<readonly [string, unknown, string]>([
    ["climbs out of the tree", write("../outside.txt", "x\n"), "unsafe-path"],
    ["is absolute", write("/etc/passwd", "x\n"), "unsafe-path"],
    ["writes into .git", write(".git/hooks/pre-commit", "x\n"), "git-folder"],
    ["writes a workflow", write(".github/workflows/x.yml", "on: push\n"), "protected-file"],
    ["writes our evidence", write(".taskfleet/1-please-greet/plan.json", "{}\n"), "protected-file"],
    ["links out of the tree", write("src/link", "../../secrets", "120000"), "symlink-escape"],
    [
      "is a submodule",
      { kind: "write", path: "src/module", mode: "160000", encoding: "utf-8", content: "1".repeat(40) },
      "submodule",
    ],
    ["differs from a file by case only", write("SRC/OLD.txt", "x\n"), "case-collision"],
    [
      "is a large-file pointer",
      write("src/big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
      "lfs-pointer",
    ],
  ])("is refused before any commit when it %s", async (_name, entry, rule) => {
    stage = await openStage({
      script: firstAttempt(({ request }) => changeSet(request, [write("src/greeting.txt", "hello\n"), entry])),
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    const branch = await stage.until("the second attempt", async () => {
      const second = stage.requests.find((request) => request.role === "implement" && request.attempt === 2);
      return second?.commit;
    });
    const check = await stage.until("the floor's check", async () =>
      (await stage.checks(branch)).find((one) => one.name === "taskfleet/floor"),
    );
    expect(check.conclusion).toBe("failure");
    expect(check.output.title).toMatch(/[Aa]ttempt 1/u);
    expect(check.output.summary ?? "").toContain(rule === "unsafe-path" ? "path" : "");
    await stage.ownComment(issue, /^report$/u);
    // Nothing of the refused set is anywhere: the branch's first commit is the second attempt's.
    const { data } = await stage.mara.repos.listCommits({ ...stage.repo, sha: "main", per_page: 100 });
    expect(data.some((commit) => commit.commit.message.includes("Taskfleet-Attempt: greeting/1"))).toBe(false);
  });
});

describe("a planner that writes no valid plan", () => {
  const [chunk] = ONE_CHUNK.chunks;
  it.each<readonly [string, unknown, RegExp]>([
    ["is not JSON", "Here is the plan: first …", /json-syntax/u],
    [
      "has a cycle",
      buildDraft({
        ...ONE_CHUNK,
        chunks: [
          { ...chunk!, id: "a", deps: ["b"] },
          { ...chunk!, id: "b", deps: ["a"], files_touched: ["src/b.txt"] },
        ],
      }),
      /a -> b -> a/u,
    ],
    [
      "names a folder that is nowhere",
      buildDraft({ ...ONE_CHUNK, chunks: [{ ...chunk!, files_touched: ["lib/deep/greeting.txt"] }] }),
      /lib\/deep.*path-unknown/u,
    ],
    [
      "has a chunk whose checks cannot fail",
      buildDraft({ ...ONE_CHUNK, chunks: [{ ...chunk!, checks: [{ desc: "fine", run: "true" }] }] }),
      /chunk-unverifiable/u,
    ],
    ["names unknown deps", buildDraft({ ...ONE_CHUNK, chunks: [{ ...chunk!, deps: ["greetin"] }] }), /greetin/u],
  ])("is told what is wrong and tries once more when it %s", async (_name, draft, said) => {
    let feedback = "";
    stage = await openStage({
      script: ({ request, show }) => {
        if (request.role !== "plan") return null;
        if (request.documents.feedback === undefined) return text(draft);
        feedback = show(request.documents.feedback);
        return null;
      },
    });
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    expect(feedback).toMatch(said);
  });

  it("is a person's business after two tries, with every problem", async () => {
    stage = await openStage({ script: ({ request }) => (request.role === "plan" ? text("no plan") : null) });
    const issue = await stage.begin();
    const { body } = await stage.ownComment(issue, /^need:plan:/u);
    expect(body).toContain("/replan");
    expect(stage.requests.filter((request) => request.role === "plan")).toHaveLength(2);
  });
});

describe("a reviewer", () => {
  it("whose quotes are not at the cited lines is no reviewer: another one is asked, and nobody loses a try", async () => {
    stage = await openStage({
      script: ({ request }) => {
        if (request.role !== "review" || !request.job.endsWith("/1")) return null;
        const evidence = { path: "src/greeting.txt", start: 1, end: 1, quote: "goodbye" };
        return text({
          v: 1,
          job: request.job,
          commit: request.commit,
          result: "pass",
          criteria: [{ criterion: 0, result: "pass", implementation: [evidence], tests: [{ check: 0 }] }],
          findings: [],
          files_reviewed: [],
          summary: "fine",
        });
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    await stage.ownComment(issue, /^report$/u);
    const roles = stage.requests.map((request) => request.role);
    expect(roles.filter((role) => role === "review")).toHaveLength(2);
    expect(roles.filter((role) => role === "implement")).toHaveLength(1);
  });
});
