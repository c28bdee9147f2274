/** Where the local GitHub and the model are known not to be like GitHub. Shown in docs/github-behaviour.md. */
export interface KnownDifference {
  readonly what: string;
  /**
   * - absent: it is not there, and a request for it answers 501;
   * - kinder: something passes here that GitHub would refuse or delay;
   * - stricter: the other way round.
   */
  readonly kind: "absent" | "kinder" | "stricter";
  /** Why the App is right all the same. */
  readonly answer: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    what: "Reads see every write at once, webhooks come at once and mostly in their order",
    kind: "kinder",
    answer:
      "tests make reads stale, refuse what was just pushed, and drop, double, delay, reorder and fail webhooks (`sandbox.faults`); in the simulation's stories branches, commits, files, pull requests, checks, comments, reviews, issues, runs and artifacts lag behind, for reads and for writes that rest on them",
  },
  {
    what: "In the simulation trees and blobs, people's roles, the repository itself and its rules are read as they are at that moment",
    kind: "kinder",
    answer:
      "trees and blobs are named by their content: what is not there yet answers like a commit that is not, and is asked for again; of the rest nothing is written by the App",
  },
  {
    what: "A new installation token is known everywhere at once",
    kind: "kinder",
    answer: "the port repeats what a fresh token is refused (`test/github/requests`)",
  },
  {
    what: "A dispatched run starts at once: no queue of runners, no approval of first-time contributors, no blocking above 500 runs in 10 s",
    kind: "kinder",
    answer: "every job has a deadline, and what never ran is found missing (`test/engine`)",
  },
  {
    what: "`concurrency` and `environment` of a workflow are ignored",
    kind: "kinder",
    answer: "the App's workflow has neither; it keeps its own queue",
  },
  {
    what: "Artifacts never expire (410), and there is no limit of 500 a job",
    kind: "kinder",
    answer: "an artifact is read when its run ends, and there is one per run",
  },
  {
    what: "The secondary limits are the published numbers, counted exactly and refused with 403. GitHub counts more than it publishes, and answers 429 as well",
    kind: "kinder",
    answer: "the port waits as long as either answer says (`test/github/governor`)",
  },
  {
    what: "An issue may have more than 100 labels, a label's name more than 50 characters",
    kind: "kinder",
    answer: "the App writes no labels",
  },
  {
    what: "Bodies of requests have no size limit of their own (trees, blobs up to 100 MB apart)",
    kind: "kinder",
    answer: "a change set has at most a few megabytes (`src/contracts/change-set.ts`)",
  },
  {
    what: "Draft pull requests are allowed in every repository; some plans have none in private ones",
    kind: "kinder",
    answer: "`doctor` cannot see the plan: the first run says so in its escalation",
  },
  {
    what: "Commits without author are called signed without a signature being made",
    kind: "kinder",
    answer: "`doctor` names rulesets that demand signatures and asks to look at the first run",
  },
  {
    what: "Of rulesets there are creation, update, deletion, non-fast-forward, pull request, required checks and signatures; of classic branch protection nothing",
    kind: "kinder",
    answer: "a refusal of another rule has the same status and beginning, and the same way through the App",
  },
  {
    what: "No required review dismissal, code owners, conversations to be resolved, merge queue",
    kind: "kinder",
    answer: "405 of any reason leads to a person (`test/cases/merging`)",
  },
  {
    what: "Checks never go stale by themselves after 14 days",
    kind: "kinder",
    answer: "`stale` is no success (`test/floor/gather-ci`)",
  },
  {
    what: "A list of pull requests by a head without its owner is empty; the documentation leaves open what GitHub does with it",
    kind: "stricter",
    answer: "the port always names the owner",
  },
  {
    what: "GraphQL knows the two mutations about drafts only",
    kind: "absent",
    answer: "the App calls no other",
  },
  {
    what: "Forks, teams, organisations' roles, custom roles, projects, discussions, releases, packages, search",
    kind: "absent",
    answer: "the App uses none of them; custom roles are a unit test of the port's",
  },
  {
    what: "`PUT merge-async`, re-running workflow runs, environments, deployments, caches",
    kind: "absent",
    answer: "the App calls none of them",
  },
];
