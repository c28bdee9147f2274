/** What goes wrong on GitHub now and then: nothing is lost, nothing is doubled, nothing is believed too early. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Sha } from "../../src/contracts/ids.ts";
import { parseSha } from "../../src/contracts/ids.ts";
import type { RepositoryPort } from "../../src/github/port.ts";
import type { ResponseFault } from "../../src/sandbox/faults.ts";
import { openShop, type Shop } from "./open-shop.ts";
import { failureOf } from "./stage-parts.ts";

let shop: Shop;
let repository: RepositoryPort;
let main: Sha;
let next: Sha;

beforeAll(async () => {
  shop = await openShop();
  repository = shop.connect().repository(shop.ref);
  main = parseSha((await repository.loadBranch("main")) ?? "");
  const { tree } = await repository.loadCommit(main);
  next = await repository.createCommit({ tree, parents: [main], message: "Next" });
});
afterAll(() => shop.close());

const faults: ReadonlyArray<readonly [name: string, fault: ResponseFault]> = [
  ["the server fails before the effect", { kind: "error", status: 502 }],
  ["the server fails after the effect", { kind: "error-after-effect" }],
  ["the connection is cut after the effect", { kind: "cut-after-effect" }],
];

describe.each(faults)("when %s", (name, fault) => {
  const branch = `taskfleet/7-x/candidate/${faults.findIndex(([other]) => other === name)}`;

  it("git objects and branches are written all the same, once", async () => {
    const strike = (method: string) => shop.sandbox.faults.onRequest({ method, path: /\/git\// }, fault);
    const struck = shop.sandbox.faults.struckResponses.length;
    strike("POST");
    const blob = await repository.createBlob(`content ${name}`);
    expect(Buffer.from(await repository.loadBlob(blob)).toString()).toBe(`content ${name}`);
    strike("POST");
    await repository.createBranch(branch, main);
    strike("PATCH");
    await repository.updateBranch(branch, next);
    expect(await repository.loadBranch(branch)).toBe(next);
    strike("DELETE");
    await repository.deleteBranch(branch);
    expect(await repository.loadBranch(branch)).toBeNull();
    expect(shop.sandbox.faults.struckResponses.length - struck).toBe(4);
  });

  it("a comment is there at most once, and whoever wrote it knows that it may be", async () => {
    const before = (await repository.loadComments(shop.issue)).length;
    shop.sandbox.faults.onRequest({ method: "POST", path: /\/comments$/ }, fault);
    const failure = await failureOf(repository.createComment(shop.issue, name));
    expect(failure).toMatchObject({ kind: "transient", details: { ambiguous: true } });
    const posted = (await repository.loadComments(shop.issue)).length - before;
    expect(posted).toBe(fault.kind === "error" ? 0 : 1);
  });

  it("an edit reaches its end", async () => {
    const { id } = await repository.createComment(shop.issue, "before");
    shop.sandbox.faults.onRequest({ method: "PATCH", path: /\/comments\// }, fault);
    await repository.updateComment(id, `after ${name}`);
    expect((await repository.loadComments(shop.issue)).find((comment) => comment.id === id)?.body).toBe(
      `after ${name}`,
    );
  });
});

describe("what was created a moment ago", () => {
  it("is found although GitHub says for a while that it is not there", async () => {
    shop.sandbox.faults.onRequest(
      { method: "POST", path: /\/git\/refs$/ },
      { kind: "not-found-after-create", times: 2 },
    );
    await repository.createBranch("fresh", main);
    expect(await repository.loadBranch("fresh")).toBe(main);
    expect(shop.sandbox.faults.struckResponses.at(-1)).toMatchObject({ kind: "not-found-after-create" });
  });
});

describe("what was pushed a moment ago", () => {
  it("may be refused a pull request and a check, and nothing was done", async () => {
    await repository.createBranch("pushed", next);
    const pull = { head: "pushed", base: "main", title: "T", body: "", draft: false };
    const check = {
      name: "taskfleet/floor",
      sha: next,
      externalId: "x",
      status: "in_progress",
      title: "T",
      summary: "",
      annotations: [],
    } as const;
    shop.sandbox.faults.onRequest({ method: "POST", path: /\/(?:pulls|check-runs)$/ }, { kind: "unseen-push" }, 2);
    expect(await failureOf(repository.createPull(pull))).toMatchObject({
      kind: "terminal",
      message: expect.stringContaining("PullRequest head invalid"),
    });
    expect(await failureOf(repository.createCheck(check))).toMatchObject({ kind: "conflict" });
    expect(await repository.loadPullsByHead("pushed")).toEqual([]);
    await repository.createPull(pull);
    await repository.createCheck(check);
  });
});

describe("a suspended installation", () => {
  it("is left alone until it is back", async () => {
    shop.sandbox.suspendInstallation(shop.sandbox.installationId);
    // An instance that was here before still holds a token; one that starts now gets none.
    for (const instance of [repository, shop.connect().repository(shop.ref)]) {
      expect(await failureOf(instance.createBlob("x"))).toMatchObject({ kind: "dormant" });
    }
    shop.sandbox.resumeInstallation(shop.sandbox.installationId);
    await repository.createBlob("x");
  });
});
