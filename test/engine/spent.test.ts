import { describe, expect, it } from "@jest/globals";
import type { Remedy } from "../../src/contracts/job.ts";
import { deriveBudget, deriveChunkSpent, deriveSpent } from "../../src/engine/derive/budget.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { renderReport } from "../../src/messages/report-comment.ts";
import { renderStatusComment } from "../../src/messages/status-comment.ts";
import { chunkId } from "../engine-stories/names.ts";
import { tellMerged, tellProposal } from "../engine-stories/stories.ts";
import type { Story } from "../engine-stories/story.ts";
import { readText } from "../messages/render-html.ts";

type Ended = Extract<Fact, { kind: "JobEnded" }>;

function begin(budget: Record<string, number>): Story {
  return tellProposal({ config: { budget } }).approve();
}

/** An implementer's job that ends as told. */
function end(story: Story, outcome: Ended["outcome"], usage: Ended["usage"]): Story {
  const id = chunkId("months");
  story.start(id);
  const { job } = story.attemptOf(id);
  return story.record({ kind: "JobEnded", job, outcome, cause: "so", usage, runId: 1, url: null });
}

const judge = ({ state, now }: Story): string | null => deriveBudget(state, now);

const used = (usd: number | null, tokens: number | null = 10) => ({
  inputTokens: tokens,
  outputTokens: tokens,
  usd,
  model: "m",
});

describe("what a run has used", () => {
  it("adds up: chunks, and what belongs to none of them", () => {
    const { state } = tellMerged();
    const whole = deriveSpent(state);
    const chunks = state.chunks.rows.map((chunk) => deriveChunkSpent(state, chunk.id));
    const sum = (key: "agentRuns" | "tokens"): number => chunks.reduce((all, one) => all + one[key], 0);
    expect(sum("agentRuns")).toBeGreaterThanOrEqual(chunks.length * 2);
    expect(sum("agentRuns")).toBeLessThan(whole.agentRuns);
    for (const chunk of state.chunks.rows) {
      const attempts = chunk.attempts.map(({ n }) => deriveChunkSpent(state, chunk.id, n).tokens);
      expect(attempts.reduce((all, one) => all + one, 0)).toBe(deriveChunkSpent(state, chunk.id).tokens);
    }
  });

  it("counts a run that tells tokens and no price as its worst price, and no more tokens than it told", () => {
    const budget = { usd: 10, reserve_usd: 4, tokens: 1_000_000, reserve_tokens: 1000 };
    // Planner and reviewers of the story have told 0.84 USD; one silent price (4) and the next run (4) still fit.
    expect(judge(end(begin(budget), "done", used(null)))).toBeNull();
    expect(judge(end(begin({ ...budget, usd: 8.5 }), "done", used(null)))).toContain("8.5 USD");
    expect(judge(end(begin({ ...budget, usd: 8.5 }), "done", used(0.1)))).toBeNull();
    const silent = end(begin(budget), "done", used(0.1, null));
    expect(deriveSpent(silent.state)).toMatchObject({ unknown: 0, unknownTokens: 1, unknownUsd: 0 });
  });

  it("releases the reservation of a provider that refused, and keeps that of a job that was lost", () => {
    const budget = { usd: 8.5, reserve_usd: 4 };
    expect(judge(end(begin(budget), "external", null))).toBeNull();
    expect(judge(end(begin(budget), "lost", null))).toContain("8.5 USD");
    expect(judge(end(begin({ usd: 8.5, reserve_usd: 4 }), "external", used(3.9)))).toContain("8.5 USD");
  });

  it("counts no agent run for an outage, however often it refuses", () => {
    const story = begin({ agent_runs: 5 });
    const before = deriveSpent(story.state).agentRuns;
    const refuse = (remedy: Remedy): void => {
      const { job } = story.start(chunkId("months")).attemptOf(chunkId("months"));
      const end = { outcome: "external", cause: "overloaded", usage: null, remedy, runId: 1, url: null } as const;
      story.record({ kind: "JobEnded", job, ...end });
    };
    for (let count = 0; count < 3; count += 1) refuse({ kind: "wait" });
    expect(deriveSpent(story.state)).toMatchObject({ agentRuns: before, unknown: 0 });
    expect(deriveChunkSpent(story.state, chunkId("months")).agentRuns).toBe(0);
    expect(judge(story)).toBeNull();
    refuse({ kind: "person" });
    expect(deriveSpent(story.state).agentRuns).toBe(before + 1);
  });

  it("is shown per chunk and attempt in the status and in the report", () => {
    const { state, now } = tellMerged();
    for (const text of [renderReport(state), renderStatusComment(state, [], now)]) {
      const shown = readText(text);
      for (const chunk of state.chunks.keys) expect(shown).toContain(chunk);
      expect(shown).toMatch(/Agent runs\s+Tokens\s+Money\s+Job time/u);
      expect(shown).toMatch(/planning, acceptance/u);
    }
    const story = end(begin({}), "done", used(null));
    expect(renderReport(story.state)).toMatch(/\| `months` \| all \| 1 \| 20 \| not known \|/u);
    expect(renderReport(story.state)).toContain("1 run told no price");
  });
});
