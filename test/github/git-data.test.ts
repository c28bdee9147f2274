import { describe, expect, it } from "@jest/globals";
import { parseSha } from "../../src/contracts/ids.ts";
import { REPO, setUpStage } from "./github-stage.ts";
import { failureOf, sha } from "./stage-parts.ts";

const stage = setUpStage();
const commit = parseSha(sha("a"));
const tree = parseSha(sha("b"));

describe("git objects", () => {
  it("are read and written as they are", async () => {
    stage.api
      .get(`${REPO}/git/commits/${commit}`)
      .reply(200, { sha: commit, tree: { sha: tree }, parents: [{ sha: sha("c") }], message: "M" });
    expect(await stage.repository.loadCommit(commit)).toEqual({ sha: commit, tree, parents: [sha("c")], message: "M" });
    stage.api.post(`${REPO}/git/commits`, { message: "M", tree, parents: [commit] }).reply(201, { sha: sha("d") });
    expect(await stage.repository.createCommit({ tree, parents: [commit], message: "M" })).toBe(sha("d"));
  });

  it("of any bytes survive the way there and back", async () => {
    const bytes = new Uint8Array([0, 255, 10, 13, 200]);
    const content = Buffer.from(bytes).toString("base64");
    stage.api.post(`${REPO}/git/blobs`, { content, encoding: "base64" }).reply(201, { sha: sha("e") });
    const blob = await stage.repository.createBlob(bytes);
    stage.api.get(`${REPO}/git/blobs/${blob}`).reply(200, { content: `${content}\n`, encoding: "base64" });
    expect([...(await stage.repository.loadBlob(blob))]).toEqual([...bytes]);
  });

  it("are written again when the server failed", async () => {
    stage.api.post(`${REPO}/git/blobs`).reply(502, { message: "Server Error" });
    stage.api.post(`${REPO}/git/blobs`).reply(201, { sha: sha("e") });
    expect(await stage.repository.createBlob("text")).toBe(sha("e"));
  });

  it("of a tree are written, taken over, made executable and deleted", async () => {
    stage.api
      .post(`${REPO}/git/trees`, {
        base_tree: tree,
        tree: [
          { path: "a.txt", mode: "100755", type: "blob", content: "hi" },
          { path: "b.txt", mode: "120000", type: "blob", sha: sha("1") },
          { path: "c.txt", mode: "100644", type: "blob", sha: null },
        ],
      })
      .reply(201, { sha: sha("f") });
    const made = await stage.repository.createTree(tree, [
      { path: "a.txt", mode: "100755", content: "hi" },
      { path: "b.txt", mode: "120000", sha: parseSha(sha("1")) },
      { path: "c.txt", sha: null },
    ]);
    expect(made).toBe(sha("f"));
  });

  it("of a tree too large for one answer are no tree at all", async () => {
    const entry = { path: "a", mode: "100644", type: "blob", sha: sha("1"), size: 3, url: "u" };
    stage.api
      .get(`${REPO}/git/trees/${tree}`)
      .query({ recursive: "1" })
      .reply(200, { tree: [entry], truncated: true });
    expect(await stage.repository.loadTree(tree)).toBeNull();
    stage.api
      .get(`${REPO}/git/trees/${tree}`)
      .query({ recursive: "1" })
      .reply(200, { tree: [entry], truncated: false });
    expect(await stage.repository.loadTree(tree)).toEqual([{ path: "a", mode: "100644", type: "blob", sha: sha("1") }]);
  });

  it("that are not there after a while are a conflict", async () => {
    stage.api.get(`${REPO}/git/commits/${commit}`).times(4).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await failureOf(stage.repository.loadCommit(commit))).toMatchObject({ kind: "conflict" });
    expect(stage.clock.slept).toEqual([500, 1000, 2000]);
  });
});

describe("a comparison", () => {
  const path = `${REPO}/compare/${commit}...${tree}`;
  const data = (count: number) => ({
    status: "diverged",
    merge_base_commit: { sha: sha("9") },
    ahead_by: 2,
    behind_by: 1,
    files: Array.from({ length: count }, (_, n) => ({
      filename: `f${n}`,
      status: n === 0 ? "renamed" : "modified",
      sha: sha("1"),
      ...(n === 0 ? { previous_filename: "old" } : { patch: "@@" }),
    })),
  });

  it("names both sides of a rename and has no patch for a binary file", async () => {
    stage.api.get(path).query(true).reply(200, data(2));
    expect(await stage.repository.loadComparison(commit, tree)).toMatchObject({
      status: "diverged",
      mergeBase: sha("9"),
      aheadBy: 2,
      behindBy: 1,
      complete: true,
      files: [
        { path: "f0", previousPath: "old", status: "renamed", patch: null },
        { path: "f1", previousPath: null, status: "modified", patch: "@@" },
      ],
    });
  });

  it("says of commits with no history in common that they are unrelated, and asks once", async () => {
    stage.api
      .get(path)
      .query(true)
      .reply(404, { message: `No common ancestor between ${commit} and ${tree}.` });
    expect(await stage.repository.loadComparison(commit, tree)).toEqual({
      status: "unrelated",
      mergeBase: null,
      aheadBy: 0,
      behindBy: 0,
      complete: false,
      files: [],
    });
  });

  it("at the cap says that it is not complete", async () => {
    stage.api.get(path).query(true).reply(200, data(300));
    expect(await stage.repository.loadComparison(commit, tree)).toMatchObject({ complete: false });
  });
});
