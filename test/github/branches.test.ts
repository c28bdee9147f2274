import { describe, expect, it } from "@jest/globals";
import { parseSha } from "../../src/contracts/ids.ts";
import { API, expectAt, REPO, setUpStage } from "./github-stage.ts";
import { failureOf, sha } from "./stage-parts.ts";

const stage = setUpStage();
const tip = parseSha(sha("a"));
const other = parseSha(sha("b"));
const branch = "taskfleet/7-x/chunk/api";
const refPath = `${REPO}/git/ref/heads%2Ftaskfleet%2F7-x%2Fchunk%2Fapi`;
const refsPath = `${REPO}/git/refs/heads%2Ftaskfleet%2F7-x%2Fchunk%2Fapi`;
const refAt = (at: string) => ({ ref: `refs/heads/${branch}`, object: { sha: at, type: "commit" } });

describe("branches", () => {
  it("are read with every slash of their name encoded", async () => {
    stage.api.get(refPath).reply(200, refAt(tip));
    expect(await stage.repository.loadBranch(branch)).toBe(tip);
  });

  it("are null where there is none, without asking again and again", async () => {
    stage.api.get(refPath).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await stage.repository.loadBranch(branch)).toBeNull();
    expect(stage.clock.slept).toEqual([]);
  });

  it("are null in an empty repository", async () => {
    stage.api.get(refPath).reply(409, { message: "Git Repository is empty." });
    expect(await stage.repository.loadBranch(branch)).toBeNull();
  });

  // 404 just after creation, for seconds and more (github.com/integrations/slack/issues/496).
  it("are looked for again when they were created a moment ago", async () => {
    stage.api.post(`${REPO}/git/refs`, { ref: `refs/heads/${branch}`, sha: tip }).reply(201, refAt(tip));
    stage.api.get(refPath).twice().reply(404, { message: "Not Found" });
    stage.api.get(refPath).reply(200, refAt(tip));
    await stage.repository.createBranch(branch, tip);
    expect(await stage.repository.loadBranch(branch)).toBe(tip);
    expect(stage.clock.slept).toEqual([500, 1000]);
  });

  it("are created by a second try that finds them at the same commit", async () => {
    stage.api.post(`${REPO}/git/refs`).reply(422, { message: "Reference already exists" });
    stage.api.get(refPath).reply(200, refAt(tip));
    await stage.repository.createBranch(branch, tip);
  });

  it("conflict when they exist at another commit", async () => {
    stage.api.post(`${REPO}/git/refs`).reply(422, { message: "Reference already exists" });
    stage.api.get(refPath).reply(200, refAt(other));
    expect(await failureOf(stage.repository.createBranch(branch, tip))).toMatchObject({ kind: "conflict" });
  });

  it("are moved without force, and conflict when that is no fast-forward", async () => {
    stage.api.patch(refsPath, { sha: tip, force: false }).reply(422, { message: "Update is not a fast forward" });
    expect(await failureOf(stage.repository.updateBranch(branch, tip))).toMatchObject({ kind: "conflict" });
  });

  it("are deleted also when they are gone already", async () => {
    stage.api.delete(refsPath).reply(422, { message: "Reference does not exist" });
    await stage.repository.deleteBranch(branch);
    stage.api.delete(refsPath).reply(204);
    await stage.repository.deleteBranch(branch);
  });

  it("take a merge, or have it already, or conflict with it", async () => {
    const body = { base: branch, head: other, commit_message: "Merge" };
    stage.api.post(`${REPO}/merges`, body).reply(201, { sha: tip });
    expect(await stage.repository.mergeIntoBranch(branch, other, "Merge")).toBe(tip);
    stage.api.post(`${REPO}/merges`, body).reply(204);
    expect(await stage.repository.mergeIntoBranch(branch, other, "Merge")).toBeNull();
    stage.api.post(`${REPO}/merges`, body).reply(409, { message: "Merge conflict" });
    expect(await failureOf(stage.repository.mergeIntoBranch(branch, other, "Merge"))).toMatchObject({
      kind: "conflict",
    });
  });

  it.each([["Base does not exist"], ["Head does not exist"]])(
    "conflict with nothing where GitHub says: %s",
    async (message) => {
      const body = { base: branch, head: other, commit_message: "Merge" };
      stage.api.post(`${REPO}/merges`, body).reply(404, { message });
      stage.api
        .get("/repositories/99")
        .optionally()
        .reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
      expect(await failureOf(stage.repository.mergeIntoBranch(branch, other, "Merge"))).toMatchObject({
        kind: "transient",
      });
    },
  );

  it("are asked for with the last answer's ETag, and a 304 is that answer", async () => {
    stage.api.get(refPath).reply(200, refAt(tip), { etag: 'W/"1"' });
    expect(await stage.repository.loadBranch(branch)).toBe(tip);
    expectAt(API, { reqheaders: { "if-none-match": 'W/"1"' } })
      .get(refPath)
      .reply(304);
    expect(await stage.repository.loadBranch(branch)).toBe(tip);
    expect(stage.port.requests.total).toBe(3);
  });
});
