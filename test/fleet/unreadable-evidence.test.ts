/** What an operator is told of a run that cannot be read back, and what is left as it was. */
import { describe, expect, it } from "@jest/globals";
import { formatCommitMessage } from "../../src/contracts/commit-message.ts";
import { formatEvidencePath } from "../../src/contracts/names.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { rebuildRun, type RebuildParts } from "../../src/fleet/rebuild-run.ts";
import { formatPlan } from "../../src/plan/build-plan.ts";
import { tellProposal } from "../engine-stories/stories.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { nothingCaptured } from "../floor/support/build-captures.ts";
import { openMemoryStore } from "../sim/store/memory-store.ts";

const story = tellProposal();
const { run } = story;
const plan = story.state.revisions[0]?.plan;
const captures = nothingCaptured({ commit: fakeSha("fork") });

const paths = {
  intent: formatEvidencePath(run, { kind: "intent", revision: 1 }),
  order: formatEvidencePath(run, { kind: "execution-plan", revision: 0 }),
  plan: formatEvidencePath(run, { kind: "plan", revision: 1 }),
  baseline: formatEvidencePath(run, { kind: "baseline", revision: 1 }),
};

const sound: Readonly<Record<string, string>> = {
  [paths.intent]: "Say hello.",
  [paths.order]: '{"run_id":"2026-11-30-001"}',
  [paths.plan]: plan === undefined ? "" : formatPlan(plan),
  [paths.baseline]: JSON.stringify(captures),
};

function commit(name: string, parent: string, message: string) {
  return { sha: fakeSha(name), tree: fakeSha(`${name} tree`), parents: [fakeSha(parent)], message };
}

const note = { subject: "evidence", run, ci: "skip" } as const;
const history = [
  commit("fork", "root", "a person's"),
  commit("intake", "fork", formatCommitMessage(note)),
  commit("plan", "intake", formatCommitMessage({ ...note, trailers: [["Taskfleet-Plan-Hash", "h"]] })),
];

/** @param files what the run's branch holds. */
function openGitHub(files: Readonly<Record<string, string>>, answers: object = {}) {
  const closed: number[] = [];
  const repository = {
    ref: { id: 1 },
    loadBranch: async () => fakeSha("plan"),
    loadCommit: async (sha: string) => history.find((entry) => entry.sha === sha),
    loadRepository: async () => ({
      id: 1,
      owner: "octo",
      name: "tally",
      url: "u",
      defaultBranch: "main",
      private: false,
    }),
    loadFile: async (path: string, ref: string) => {
      const text = ref === fakeSha("fork") ? undefined : files[path];
      return text === undefined ? null : { sha: fakeSha(path), text };
    },
    loadSharedFile: async () => null,
    loadIssue: async () => ({ number: 7, title: "Greet", author: { login: "alice" } }),
    loadLabeling: async () => null,
    loadPullsByHead: async () => [{ number: 9, state: "open", merged: false, nodeId: "n", url: "u" }],
    loadComments: async () => [],
    updatePull: async (number: number) => closed.push(number),
    ...answers,
  };
  const store = openMemoryStore();
  const parts = {
    github: { repository: () => repository },
    store,
    clock: { now: () => story.now },
    reads: new ImmutableReads(),
  } as unknown as RebuildParts;
  const ref = { id: 1, installationId: 1, owner: "octo", name: "tally" };
  return { read: () => rebuildRun(parts, ref, run), store, closed };
}

describe("a run whose evidence is sound", () => {
  it("is read back", async () => {
    const { read, store } = openGitHub(sound);
    expect(await read()).toEqual({ run, revisions: 1, landed: [] });
    expect(await store.loadOpenRuns()).toHaveLength(1);
  });
});

describe("a run that cannot be read back", () => {
  const without = (path: string) => Object.fromEntries(Object.entries(sound).filter(([name]) => name !== path));
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ["has no intent", paths.intent, without(paths.intent), "is not there"],
    ["has no execution plan", paths.order, without(paths.order), "is not there"],
    [
      "has an execution plan that is no JSON",
      paths.order,
      { ...sound, [paths.order]: "{" },
      "cannot be read (Expected",
    ],
    [
      "has a baseline that is no JSON",
      paths.baseline,
      { ...sound, [paths.baseline]: "\nnone" },
      "cannot be read (Unex",
    ],
    [
      "has a baseline of another format",
      paths.baseline,
      { ...sound, [paths.baseline]: JSON.stringify({ ...captures, v: 2 }) },
      "cannot be read (v: Invalid input",
    ],
    ["has no baseline", paths.baseline, without(paths.baseline), "is not there"],
    [
      "has a plan of another version",
      paths.plan,
      { ...sound, [paths.plan]: (sound[paths.plan] ?? "").replace('"schema_version": 3', '"schema_version": 4') },
      "cannot be read (",
    ],
    ["has a plan that is cut", paths.plan, { ...sound, [paths.plan]: '{"schema_version": 3,' }, "cannot be read ("],
  ])("names the file and what can be done: one that %s", async (_, path, files, words) => {
    const { read, store, closed } = openGitHub(files);
    const error: unknown = await read().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "UserError" });
    const said = error instanceof Error ? error.message : "";
    expect(said).toContain(`${path} `);
    expect(said).toContain(words);
    expect(said).toContain(`delete the branch taskfleet/${run}/integration and set the label anew`);
    expect(said).not.toContain("\n");
    // Neither the store nor GitHub was changed.
    expect(await store.loadRuns()).toEqual([]);
    expect(closed).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["its issue is gone", { loadIssue: async () => null }, "Its issue #7 is gone"],
    ["its branch is gone", { loadBranch: async () => null }, "There is no branch"],
    ["nothing on its branch is ours", { loadCommit: async () => ({ ...history[0], parents: [] }) }, "No commit of the"],
  ])("says that %s", async (_, answers, words) => {
    const { read } = openGitHub(sound, answers);
    await expect(read()).rejects.toMatchObject({ name: "UserError", message: expect.stringContaining(words) });
  });
});
