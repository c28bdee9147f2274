/** What a person finds on GitHub after a run that was merged; used with and without interruptions. */
import { expect } from "@jest/globals";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseMarker } from "../../src/contracts/names.ts";
import type { Plan } from "../../src/contracts/plan.ts";
import { type Evidence, listMarkers } from "./evidence.ts";

const exec = promisify(execFile);

export const wholeRun: Readonly<Record<string, (evidence: Evidence) => Promise<void>>> = {
  "lands every chunk and merges the feature": async ({ summary, feature, issue, branches }) => {
    expect(summary.outcome).toBe("merged");
    expect(summary.chunks.map(({ landed }) => landed)).not.toContain(null);
    expect(feature.merged_at).not.toBeNull();
    expect(issue.state).toBe("closed");
    expect(branches).toEqual(["main"]);
  },

  "keeps the plan's files on the source branch, each revision with the bytes it first had": async (evidence) => {
    const { summary, git } = evidence;
    const folder = `.taskfleet/${summary.runKey}`;
    const files = (await git("ls-tree", "-r", "--name-only", "origin/main", folder)).trim().split("\n");
    const versions = summary.planRevs.flatMap((rev) => [`plan.v${rev}.json`, `execution-plan.v${rev}.json`]);
    expect(files).toEqual(
      expect.arrayContaining(
        ["plan.json", "plan.md", "intent.v1.md", "baseline.v1.json", "execution-plan.v0.json", ...versions].map(
          (name) => `${folder}/${name}`,
        ),
      ),
    );
    const latest = Math.max(...summary.planRevs);
    expect(await git("show", `origin/main:${folder}/plan.json`)).toBe(
      await git("show", `origin/main:${folder}/plan.v${latest}.json`),
    );
    for (const rev of summary.planRevs) {
      const log = await git(
        "log",
        "--format=",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "-m",
        "origin/main",
        "--",
        `${folder}/plan.v${rev}.json`,
      );
      const blobs = new Set(
        log
          .trim()
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.split(" ")[3]),
      );
      expect([...blobs]).toHaveLength(1);
    }
  },

  "shows plan, graph and progress in the feature pull request": async ({ feature, summary }) => {
    const body = feature.body ?? "";
    expect(body).toContain("```mermaid");
    for (const { id } of summary.chunks) expect(body).toContain(id);
  },

  "has one status comment, edited instead of repeated, and a report": async (evidence) => {
    const markers = listMarkers(evidence);
    const own = evidence.comments.get(evidence.summary.issue) ?? [];
    const status = own.filter((comment) => parseMarker(comment.body ?? "")?.key === "status");
    expect(status).toHaveLength(1);
    expect(Date.parse(status[0]?.updated_at ?? "")).toBeGreaterThan(Date.parse(status[0]?.created_at ?? ""));
    expect(markers.filter((marker) => marker.endsWith(" report"))).toHaveLength(1);
    expect(new Set(markers).size).toBe(markers.length);
  },

  "has one pull request per chunk, merged": async ({ chunkPulls, summary, feature }) => {
    expect([...chunkPulls.keys()].sort()).toEqual(summary.chunks.map(({ id }) => id).sort());
    for (const pulls of chunkPulls.values()) {
      expect(pulls).toHaveLength(1);
      expect(pulls[0]?.merged_at).not.toBeNull();
      expect(pulls[0]?.base.ref).toBe(feature.head.ref);
    }
  },

  "has a floor check on every attempt's head and a review where the floor passed": async ({ summary, checks }) => {
    const find = (gate: string, id: string, n: number) =>
      checks.filter((check) => check.external_id === `${summary.runKey}:${gate}:${id}:${n}`);
    for (const { id, attempts } of summary.chunks) {
      for (const { n, floor } of attempts) {
        if (floor === null) continue;
        expect(find("floor", id, n)).toHaveLength(1);
        expect(find("review", id, n)).toHaveLength(floor === "pass" ? 1 : 0);
      }
    }
    for (const name of ["taskfleet/plan", "taskfleet/accept", "taskfleet"])
      expect(checks.filter((check) => check.name === name && check.conclusion === "success")).not.toEqual([]);
    for (const check of checks.filter((entry) => entry.name === "taskfleet/floor")) {
      expect(check.output.title).toBeTruthy();
      // A table of gates.
      expect(check.output.summary).toMatch(/\|.*scope.*\|/u);
    }
  },

  "posts a review per verdict, with evidence": async ({ checks, chunkPulls, reviews }) => {
    const verdicts = checks.filter((check) => check.name === "taskfleet/review");
    const posted = [...chunkPulls.values()].flat().flatMap((pull) => reviews.get(pull.number) ?? []);
    expect(posted).toHaveLength(verdicts.length);
    for (const review of posted) expect(review.body).toMatch(/(?:src|test)\/\w+\.js/u);
  },

  "gathers the repository's own checks at the end": async ({ checks, summary }) => {
    const accept = checks.filter((check) => check.name === "taskfleet/accept").at(-1);
    expect(`${accept?.output.summary}${accept?.output.text}`).toMatch(/\btests\b/u);
    const own = checks.filter((check) => check.app?.slug === "github-actions" && check.name === "tests");
    expect(own.map(({ head_sha: sha }) => sha)).toContain(summary.commits.integration);
    // The source branch has its own run after the merge, which nobody waits for.
    const ended = own.flatMap(({ conclusion }) => conclusion ?? []);
    expect(new Set(ended)).toEqual(new Set(["success"]));
  },

  "leaves a source branch whose tests pass in a fresh clone": async ({ clone, git, summary }) => {
    await git("checkout", "-q", "origin/main");
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    await exec("npm", ["test"], { cwd: clone, env });
    const plan = JSON.parse(await git("show", `origin/main:.taskfleet/${summary.runKey}/plan.json`)) as Plan;
    for (const item of plan.acceptance)
      if (item.kind === "check") await exec("sh", ["-c", item.run], { cwd: clone, env });
  },

  "prints addresses that open": async ({ links }) => {
    expect(links.size).toBeGreaterThan(30);
    expect([...links].filter(([, status]) => status !== 200)).toEqual([]);
  },

  "refuses a stranger's label and command once each, and does nothing else about them": async (evidence) => {
    const strangers = listMarkers(evidence).filter((marker) => marker.includes("stranger:drifter"));
    expect(strangers).toHaveLength(2);
    const foreign = [...evidence.comments].filter(
      ([number]) => strangers.some((marker) => marker.startsWith(`${number} `)) && number !== evidence.summary.issue,
    );
    expect(foreign).toHaveLength(1);
    expect(foreign[0]?.[1]).toHaveLength(1);
  },
};
