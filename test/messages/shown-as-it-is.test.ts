import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { Action, CheckSubject } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import { derivePullRevision, listDesiredChecks } from "../../src/engine/derive/surfaces.ts";
import { deriveStanding } from "../../src/engine/derive/standing.ts";
import type { CommandName } from "../../src/contracts/commands.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { renderCheck } from "../../src/messages/check.ts";
import { renderFeaturePull } from "../../src/messages/feature-pull.ts";
import { deriveHeadline } from "../../src/messages/words/headline.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { failFloor, failReview, passFloor, passReview } from "../engine-stories/results.ts";
import { REPORT, tellAllLanded, tellEscalation, tellProposal, tellReady } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

type Publishing = Extract<Action, { kind: "PublishCheck" }>;

function findCheck(story: Story, name: Publishing["name"]): Publishing | undefined {
  return decide(story.state, story.now, TIMING).actions.find(
    (action): action is Publishing => action.kind === "PublishCheck" && action.name === name,
  );
}

/** Publishes the check of that name where it has to say something else. @returns what it says then; null = as it was. */
function publish(story: Story, name: Publishing["name"]): string | null {
  const check = findCheck(story, name);
  if (check === undefined) return null;
  story.record({
    kind: "CheckPublished",
    effect: check.key,
    externalId: check.externalId,
    id: 77,
    url: "https://github.com/octo/tally/runs/77",
    revision: check.revision,
  });
  return describeCheck(story, check.subject);
}

function describeCheck(story: Story, subject: CheckSubject): string {
  const { conclusion = "in progress", title, buttons } = renderCheck(story.state, subject, story.now);
  return [`${conclusion}: ${title}`, ...buttons.map(({ label }) => label)].join(" | ");
}

describe("the check `taskfleet`", () => {
  it("is in progress while the repository's own checks run, and passes before anybody merges", () => {
    const story = tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT));
    expect(findCheck(story, "taskfleet")).toBeUndefined();
    story.commitAccept();
    expect(publish(story, "taskfleet")).toBe(
      "in progress: All 4 chunks have landed. The repository's own checks run on the verified commit.",
    );
    const rows = [{ name: "ci / test", state: "pass", detail: "", url: "" }] as const;
    story.record({ kind: "CiGathered", n: 1, commit: fakeSha("accepted-1"), state: "pass", rows });
    story.record({ kind: "FeatureReady", effect: "feature-ready" });
    expect(publish(story, "taskfleet")).toBe(
      "success: All 4 chunks have landed. Everything was verified: the feature is ready to be merged.",
    );
    expect(findCheck(story, "taskfleet")).toBeUndefined();
  });

  it("goes on saying what is so once a question is answered", () => {
    const story = tellEscalation();
    expect(publish(story, "taskfleet")).toBe(
      "action_required: Chunk categories failed the floor 3 of 3 times. | Cancel",
    );
    story.command("retry", "categories");
    expect(publish(story, "taskfleet")).toBe("in progress: 1 of 4 chunks has landed.");
    story.command("pause");
    expect(publish(story, "taskfleet")).toBe(
      "action_required: Paused by alice: nothing new starts or lands. | Resume | Cancel",
    );
    story.command("resume");
    expect(publish(story, "taskfleet")).toBe("in progress: 1 of 4 chunks has landed.");
    expect(publish(story, "taskfleet")).toBeNull();
  });

  it("appears for no pause, no landing and no plan of its own accord", () => {
    const story = tellProposal();
    expect(findCheck(story, "taskfleet")).toBeUndefined();
    story.approve().command("pause");
    expect(findCheck(story, "taskfleet")).toBeUndefined();
  });

  it("asks for a person where changes are requested, and passes once they are dismissed", () => {
    const story = tellReady();
    const number = story.state.featurePull?.number ?? 0;
    story.record({ kind: "ReviewsObserved", pull: number, blockers: ["bob"], n: 1 });
    expect(publish(story, "taskfleet")).toMatch(/^action_required: .* but waits: bob requested changes\. \| Cancel$/u);
    story.record({ kind: "ReviewsObserved", pull: number, blockers: [], n: 2 });
    expect(publish(story, "taskfleet")).toMatch(/^success: .* ready to be merged\.$/u);
  });

  it("passes on the commit that is merged before the App merges it, unless GitHub takes no check", () => {
    const story = tellReady({ config: { merge: { feature: "auto" } } });
    const first = (): string => decide(story.state, story.now, TIMING).actions[0]?.key ?? "";
    const effect = first();
    expect(effect).toMatch(/^check:.*:run:/u);
    const refuse = (): void => {
      story.record({
        kind: "EffectFailed",
        effect,
        failure: "misconfigured",
        message: "Resource not accessible by integration",
        ambiguous: false,
        retryAfterMs: null,
      });
    };
    refuse();
    expect(first()).not.toMatch(/^merge:/u);
    story.wait(3_600_000);
    refuse();
    expect(first()).toBe("merge:1");
    story.wait(3_600_000).record({ kind: "EffectEnded", effect });
    expect(publish(story, "taskfleet")).toBe("success: All 4 chunks have landed. Everything was verified: merging.");
    expect(first()).toBe("merge:1");
  });
});

describe("the check of a plan", () => {
  it("offers no approval that would be refused", () => {
    const story = tellProposal();
    expect(publish(story, "taskfleet/plan")).toBe(
      "action_required: Plan revision 1: waits for approval | Approve | Cancel",
    );
    const draft = story.state.revisions[0]?.draft ?? buildDraft([]);
    story.command("replan", "smaller");
    expect(publish(story, "taskfleet/plan")).toBe("in progress: Plan revision 1: a new revision is being written");
    const chunks = draft.chunks.slice(0, 1);
    story.receiveDraft({ ...draft, chunks }).commitPlan({ ...draft, chunks });
    expect([publish(story, "taskfleet/plan"), publish(story, "taskfleet/plan")]).toEqual([
      "neutral: Plan revision 1: replaced by revision 2",
      "action_required: Plan revision 2: waits for approval | Approve | Cancel",
    ]);
    story.command("cancel");
    expect(publish(story, "taskfleet/plan")).toBe("cancelled: Plan revision 2: the run was cancelled");
    expect(publish(story, "taskfleet/plan")).toBeNull();
  });

  it("is not made for a plan that was never shown and is replaced", () => {
    const story = tellProposal();
    const draft = story.state.revisions[0]?.draft ?? buildDraft([]);
    story.command("replan", "smaller");
    expect(findCheck(story, "taskfleet/plan")).toBeUndefined();
    story.receiveDraft(draft).commitPlan(draft);
    expect(findCheck(story, "taskfleet/plan")?.subject).toEqual({ kind: "plan", rev: 2 });
  });
});

function tellPause(): Story {
  const story = tellProposal().approve();
  story.command("pause");
  return story;
}

const MERGED: Fact = { kind: "FeatureMerged", commit: fakeSha("accepted-1"), how: "fast-forward", verified: true };

describe("the feature pull request's body", () => {
  it.each<[string, Story, (story: Story) => void]>([
    ["somebody pauses", tellProposal().approve(), (story) => story.command("pause")],
    ["a pause ends", tellPause(), (story) => story.command("resume")],
    ["a question is answered", tellEscalation(), (story) => story.command("retry", "categories")],
    ["a new plan is wanted", tellProposal().approve(), (story) => story.command("replan", "smaller")],
    ["it is merged", tellReady(), (story) => story.record(MERGED)],
  ])("is edited when %s", (_when, story, happen) => {
    const read = (): readonly string[] => [
      derivePullRevision(story.state, story.now),
      renderFeaturePull(story.state, story.now).body.split("\n")[0] ?? "",
    ];
    const [revision, line] = read();
    happen(story);
    const [newRevision, newLine] = read();
    expect(newLine).not.toBe(line);
    expect(newRevision).not.toBe(revision);
  });
});

describe("whatever happens", () => {
  const command = fc.record({
    at: fc.nat({ max: 120 }),
    name: fc.constantFrom<CommandName>("pause", "resume", "retry", "skip", "replan", "approve", "take", "cancel"),
    chunk: fc.nat({ max: 3 }),
  });
  const chunks = [0, 1, 2, 3].map((index) => buildChunk(`c${index}`, index === 3 ? ["c0", "c1"] : []));

  it("no check and no body says something else under the same revision", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(command, { maxLength: 10 }),
        fc.constantFrom("human", "auto"),
        fc.nat({ max: 3 }),
        (commands, feature, bad) => {
          const story = new Story({
            config: { plan: { approval: "human" }, merge: { feature }, limits: { parallel: 2 } },
          });
          const said = new Map<string, string>();
          const hold = (key: string, words: string): void => {
            kinds.add(words.split("|")[0] ?? "");
            expect([key, said.get(key) ?? words]).toEqual([key, words]);
            said.set(key, words);
          };
          let step = 0;
          const watch = (): void => {
            step += 1;
            if (step === 40 && story.state.approved === null) story.command("approve");
            for (const { at, name, chunk } of commands)
              if (at === step && (name !== "cancel" || at > 100)) story.command(name, `c${chunk}`);
            const { state, now } = story;
            const { icon, sentence, needed } = deriveHeadline(state, now);
            // How far the chunks and the planners have come changes often: nobody is asked anything by that.
            const isProgress = ["working", "planning"].includes(deriveStanding(state, now).at);
            const headline = isProgress ? icon : `${icon} ${sentence} ${needed}`;
            hold(`body ${derivePullRevision(state, now)}`, headline);
            for (const { externalId, revision, subject } of listDesiredChecks(state, now)) {
              const { conclusion = "in progress", title, buttons } = renderCheck(state, subject, now);
              const words = subject.kind === "run" ? headline : title;
              const names = buttons.map(({ identifier }) => identifier).join(" ");
              if (subject.kind === "run" || subject.kind === "plan")
                hold(`${externalId} ${revision}`, `${conclusion}|${words}|${names}`);
            }
          };
          const world = buildWorld(buildDraft(chunks), {
            floor: (chunk, n) => (bad > 0 && chunk === `c${bad}` && n < 4 ? failFloor() : passFloor()),
            review: (chunk, n) => (bad === 3 && n === 4 ? failReview(chunk) : passReview(chunk)),
          });
          play(story, world, { watch });
          // Where people are waited for, they act.
          if (story.state.paused !== null) story.command("resume");
          if (story.state.approved === null) story.command("approve");
          watch();
          play(story, world, { watch });
        },
      ),
      { numRuns: 20 },
    );
    expect([...kinds]).toEqual(expect.arrayContaining(["action_required", "in progress", "success"]));
  });
});
