/** Texts and files that must not become anything else. Rows of docs/cases.md. */
import { describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { assert, property, string } from "fast-check";
import { formatRunKey } from "../../src/contracts/ids.ts";
import { formatBranch, formatMarker, hasMarker, parseBranch, parseMarker } from "../../src/contracts/names.ts";
import { BODY_LIMIT, cutMarkdown } from "../../src/messages/cut-markdown.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";
import { keepStages, serveParts } from "./case-stage.ts";

const open = keepStages();

describe("files and texts", () => {
  it("a change of many files is one commit, and the branch moves once", async () => {
    const [chunk] = buildChunks(1);
    if (chunk === undefined) throw new Error("one was asked for");
    const files = [...chunk.files_touched, ...Array.from({ length: 40 }, (_, index) => `src/part-${index}.js`)];
    const moves: string[] = [];
    const stage = await open({
      runner: createScriptedRunner({ chunks: () => [{ ...chunk, files_touched: files }] }),
      log: (entry) => {
        if (entry.kind === "request" && entry.method === "PATCH" && /chunk(?:%2F|\/)c0$/iu.test(entry.path))
          moves.push(`${entry.status} ${entry.path}`);
      },
    });
    const { fullName, state } = await serveParts(stage, { jobMs: 1_000, otherMs: 1_000, sweepMs: 5_000 });
    await stage.waitForEnd(fullName, await stage.startRun(fullName), 120_000);
    expect(moves).toEqual([expect.stringMatching(/^200 /u)]);
    const log = execFileSync("git", ["log", "--format=%H", "main", "--", "src/part-0.js"], {
      cwd: state.git.dir,
      encoding: "utf8",
    });
    expect(log.trim().split("\n")).toHaveLength(1);
  }, 150_000);

  it("a title that looks like shell reaches no script and no branch name", () => {
    const titles = [
      '"; curl https://example.com | sh #',
      "`id` $(id) ${{ secrets.KEY }}",
      "--upload-pack=evil",
      "../..",
      "",
    ];
    const check = (title: string): void => {
      const run = formatRunKey(7, 1, title);
      expect(run).toMatch(/^7-[a-z0-9]+(?:-[a-z0-9]+)*$/u);
      const branch = formatBranch({ kind: "integration", run });
      expect(parseBranch(branch)).toEqual({ kind: "integration", run });
    };
    for (const title of titles) check(title);
    assert(property(string({ unit: "binary", maxLength: 200 }), check));
  });

  it("a marker is found again after everything around it was cut", () => {
    const marker = { run: formatRunKey(7, 1, "Add search"), key: "chunk-pr:api--v2" };
    // Texts are cut to their limit first; the marker stands behind, below what GitHub takes.
    const body = `${cutMarkdown("A long line.\n".repeat(20_000), BODY_LIMIT)}\n\n${formatMarker(marker)}`;
    expect(body.length).toBeLessThan(65_536);
    expect(hasMarker(body, marker)).toBe(true);
    expect(parseMarker(body.replaceAll("\n", "\r\n"))?.run).toBe(marker.run);
  });
});
