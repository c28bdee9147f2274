/** Configuration that all repositories of an owner share. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { parseConfig } from "../../src/contracts/parse-config.ts";
import { openStage, type Stage } from "./fleet-stage.ts";

let stage: Stage;
afterEach(async () => stage.close());

const SHARED = `ci: { gather: false }
merge: { feature: human }
floor: { test: { command: run-tests, report: report.xml, format: junit } }
agents: [{ name: shared-builder, preset: command, command: [builder] }]
`;

describe("a repository that extends its owner's configuration", () => {
  it("is worked on by it, except where it says otherwise, and every job reads the same", async () => {
    const read: unknown[] = [];
    stage = await openStage({
      shared: SHARED,
      config: "_extends: .github\nmerge: { feature: auto }\n",
      script: ({ request, show }) => {
        read.push(parseConfig(show(request.documents.config ?? "")).config);
        return null;
      },
    });
    const issue = await stage.begin();
    await stage.approve(issue);
    const report = await stage.ownComment(issue, /^report$/u);
    expect(report.body).toContain("merged");
    const [started] = stage.facts().filter((fact) => fact.kind === "RunStarted");
    expect(started?.config).toMatchObject({ agents: [{ name: "shared-builder" }], merge: { feature: "auto" } });
    expect(read.length).toBeGreaterThan(5);
    for (const config of read) expect(config).toEqual(started?.config);
    // Committed where reviewers, who have no token, find it.
    const where = { ...stage.repo, path: `.taskfleet/${issue}-please-greet/config.json` };
    expect((await stage.mara.repos.getContent(where)).status).toBe(200);
  });

  it("without a file of its own is worked on by its owner's", async () => {
    stage = await openStage({ shared: SHARED, config: null });
    const issue = await stage.begin();
    await stage.ownComment(issue, /^approval:/u);
    const [started] = stage.facts().filter((fact) => fact.kind === "RunStarted");
    expect(started?.config.agents).toMatchObject([{ name: "shared-builder" }]);
  });

  it("is told what is wrong with the shared file, and which one it is", async () => {
    stage = await openStage({ shared: "limits: { tries: many }\n", config: "_extends: .github\n" });
    const issue = await stage.begin();
    const { body } = await stage.ownComment(issue, /^config:/u);
    for (const said of ["acme/.github:.github/taskfleet.yml", "limits.tries"]) expect(body).toContain(said);
    expect(stage.requests).toEqual([]);
  });

  it("is told when the file is not there", async () => {
    stage = await openStage({ config: "_extends: settings\n" });
    const issue = await stage.begin();
    const { body } = await stage.ownComment(issue, /^config:/u);
    for (const said of ["acme/settings:.github/taskfleet.yml", "is not there"]) expect(body).toContain(said);
  });
});
