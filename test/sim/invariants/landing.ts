/** I1, I10, I11: what lands was verified, stays in its scope, and rests on evidence. */
import { parseTrailer } from "../../../src/contracts/commit-message.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import { drawJudgement } from "../agents/reviewer.ts";
import { APP, REVIEWER } from "../model/identities.ts";
import type { Happening } from "../model/happening.ts";
import type { ModelReview, ModelRun } from "../model/things.ts";
import type { Invariant, Watch } from "./invariant.ts";

/** Between a look at the source branch and the merge: a replica that lags, and requests that time out. */
const SLOWEST_LOOK_MS = 4 * 60_000;

const PROTECTED = /^(?:\.github\/|CLAUDE\.md$|AGENTS\.md$|\.claude\/|\.mcp\.json$|package\.json$)/u;

export function watchLandings(watch: Watch): Invariant {
  const { model, laboratory, violated } = watch;
  const { git } = model;
  /** Names of trees without the evidence folder. */
  const names = new Map<Sha, string>();
  const nameOf = (commit: Sha): string => {
    const { tree } = git.commit(commit);
    let name = names.get(tree);
    if (name === undefined) {
      name = [...git.files(commit)]
        .filter(([path]) => !path.startsWith(".taskfleet/"))
        .map(([path, file]) => `${path} ${file.mode} ${file.sha}`)
        .sort()
        .join("\n");
      names.set(tree, name);
    }
    return name;
  };
  const isGreen = (commit: Sha): boolean => watch.ledger.fork === null || laboratory.isGreen(commit, watch.ledger.fork);
  const floored = new Set<string>();
  const passed = new Set<Sha>();
  const accepted = new Set<string>();
  const reviewJobs = new Map<string, string>();
  /** Chunks whose pull request or verdict GitHub refused again: people were told, and nothing waits for it. */
  const refused = new Set<string>();
  /** Effects that were refused once, which may pass. */
  const refusedOnce = new Set<string>();

  function onRunEnded(run: ModelRun): void {
    if (run.path !== WORKFLOW_PATH || run.artifact === null) return;
    const request = watch.ledger.request(run);
    const commit = request.commit as Sha;
    if (request.role === "floor" && run.artifact.text.includes(`"captures"`)) floored.add(nameOf(commit));
    if (request.role === "review" && drawJudgement(watch.scenario, request) === "pass") passed.add(commit);
    if (request.role === "final-review" && drawJudgement(watch.scenario, request) === "pass")
      accepted.add(nameOf(commit));
  }

  function onReview({ author, timeline, commit }: ModelReview): void {
    if (author.login === REVIEWER.login && timeline.now === "APPROVED" && !passed.has(commit))
      violated("I11", `${commit.slice(0, 8)} was approved, and no reviewer passed it`);
  }

  /** Commits that landed although people knew what is wrong with them; it is in all that comes after, too. */
  const excused: Sha[] = [];
  const isAsGreen = (commit: Sha): boolean =>
    isGreen(commit) || excused.some((known) => laboratory.isGreen(commit, known));

  function onRef(event: Extract<Happening, { kind: "ref" }>): void {
    const { from, to, branch, by } = event;
    if (by.login !== APP.login || to === null || from === null || nameOf(from) === nameOf(to)) return;
    if (branch === watch.ledger.integration) judgeLanding(from, to);
    else if (branch === watch.ledger.source) judgeFeature(from, to, event.at);
  }

  function judgeLanding(from: Sha, to: Sha): void {
    const message = git.commit(to).message;
    if (!floored.has(nameOf(to))) violated("I1", `the tree of ${to.slice(0, 8)} landed without a floor run on it`);
    const { overrulings } = watch.ledger;
    const judgeGreen = (heads: readonly Sha[]): void => {
      if (isGreen(to)) return;
      if (!isAsGreen(to) && !overrulings.mayBeRed(heads))
        violated("I1", `what landed as ${to.slice(0, 8)} does not pass its own tests`);
      excused.push(to);
    };
    if (parseTrailer(message, "Taskfleet-Accept") !== null) {
      judgeGreen([]);
      if (!accepted.has(nameOf(to)) && !overrulings.isFeatureOverruled("review"))
        violated("I1", "the feature was accepted without a final review that passed");
      return;
    }
    const verified = git.commit(to).parents[1];
    if (verified === undefined) {
      violated("I1", `${to.slice(0, 8)} changes files and is no landing`);
      return;
    }
    const single =
      parseTrailer(git.commit(verified).message, "Taskfleet-Attempt") !== null ||
      git.commit(verified).parents.length < 3;
    const isCandidate = git.commit(verified).message.includes("Taskfleet-Attempt")
      ? false
      : git.commit(verified).parents.length > 1;
    const heads = isCandidate ? git.commit(verified).parents.slice(1) : [verified];
    judgeGreen(heads);
    for (const head of single && !isCandidate ? [verified] : heads)
      if (!passed.has(head) && !overrulings.isOverruled(head, "review"))
        violated("I1", `${head.slice(0, 8)} landed without a reviewer's PASS for it`);
    for (const head of heads)
      if (!model.reviews.some((review) => review.commit === head) && !refused.has(readChunk(head)))
        violated("I11", `${head.slice(0, 8)} landed before its verdict stood on its pull request`);
    judgeScope(from, to, isCandidate ? heads : [verified]);
  }

  function readChunk(head: Sha): string {
    const attempt = parseTrailer(git.commit(head).message, "Taskfleet-Attempt") ?? "";
    return attempt.slice(0, attempt.lastIndexOf("/"));
  }

  /** What the landing chunks declare; null when a person's own commit is among them. */
  function listDeclared(heads: readonly Sha[]): ReadonlySet<string> | null {
    const declared = new Set<string>();
    for (const head of heads) {
      const definition = watch.ledger.definition(readChunk(head));
      if (definition === null) return null;
      for (const path of definition.files_touched) declared.add(path);
    }
    return declared;
  }

  function judgeScope(from: Sha, to: Sha, heads: readonly Sha[]): void {
    const plan = watch.ledger.approvedPlan;
    if (plan === null) return;
    const declared = listDeclared(heads) ?? new Set(plan.chunks.flatMap((chunk) => chunk.files_touched));
    for (const { path } of git.diff(from, to)) {
      if (path.startsWith(".taskfleet/")) continue;
      if (declared.has(path) || heads.some((head) => watch.ledger.overrulings.isOverruled(head, "scope"))) continue;
      violated("I10", `${path} changed by a landing whose chunks do not declare it`);
      if (PROTECTED.test(path)) violated("I10", `the protected file ${path} changed unnoticed`);
    }
  }

  function isVerified(commit: Sha): boolean {
    const name = nameOf(commit);
    return floored.has(name) && (accepted.has(name) || watch.ledger.overrulings.isFeatureOverruled("review"));
  }

  /** Only what comes in between looking and merging may make another tree of it than the one that was verified. */
  function judgeFeature(from: Sha, to: Sha, at: number): void {
    if (isVerified(to)) return;
    const since = model.refs.get(watch.ledger.source)?.changedBy(at - 1) ?? at;
    if (since < at - SLOWEST_LOOK_MS)
      violated(
        "I1",
        `the App merged into ${from.slice(0, 8)}, on which nobody verified the feature, and could have known it`,
      );
  }

  /** What the merge of the feature's pull request made, whatever anybody was told. */
  function findMerge(): Sha | null {
    const { integration } = watch.ledger;
    const pull = [...model.pulls.values()].findLast(
      ({ head, timeline }) => head === integration && timeline.now.merged,
    );
    return pull?.timeline.now.mergeCommit ?? null;
  }

  return {
    onHappening(happening) {
      if (happening.kind === "run-ended") onRunEnded(happening.run);
      if (happening.kind === "ref") onRef(happening);
      if (happening.kind === "review") onReview(happening.review);
    },
    onFact({ fact }) {
      switch (fact.kind) {
        case "VerdictVerified": {
          const request = [...watch.ledger.jobs.values()].find((entry) => entry.job === fact.job);
          if (
            fact.result.outcome === "pass" &&
            request !== undefined &&
            drawJudgement(watch.scenario, request) !== "pass"
          )
            violated("I11", `the verdict of ${fact.job} passed although its evidence is worth nothing`);
          const other = reviewJobs.get(fact.job);
          const subject = JSON.stringify(fact.subject);
          if (other !== undefined && other !== subject) violated("I1", `reviewer ${fact.job} judged twice`);
          reviewJobs.set(fact.job, subject);
          return;
        }
        case "EffectFailed": {
          const chunk = /^(?:pull|review):([^:]+)/u.exec(fact.effect)?.[1];
          if (chunk === undefined || (fact.failure !== "terminal" && fact.failure !== "misconfigured")) return;
          if (refusedOnce.has(fact.effect)) refused.add(chunk);
          refusedOnce.add(fact.effect);
          return;
        }
        case "ChunkPullOpened":
        case "ReviewPosted":
          refusedOnce.delete(fact.effect);
          return;
        case "FloorComputed":
          if (fact.result.outcome === "pass" && !isAsGreen(fact.commit))
            violated("I11", `the floor of ${fact.commit.slice(0, 8)} passed although its tests do not`);
          return;
        case "FeatureMerged":
          if (fact.how !== "person" && fact.verified && !isVerified(fact.commit))
            violated("I1", `the App merged ${fact.commit.slice(0, 8)}, which nobody verified, and called it verified`);
          if (fact.how === "person" && fact.verified && !floored.has(nameOf(findMerge() ?? fact.commit)))
            violated("I1", `a merge by hand is called verified and is not`);
          return;
        default:
      }
    },
  };
}
