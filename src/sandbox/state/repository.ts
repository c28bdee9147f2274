import type { GitRepository } from "../git/git-repository.ts";
import type { Account, Role } from "./account.ts";
import type { CheckRun, CheckSuite, CommitStatus } from "./check.ts";
import type { Comment, Issue, Label, IssueEvent } from "./issue.ts";
import type { Pull, Review, ReviewComment } from "./pull.ts";
import type { BranchRule } from "./branch-rule.ts";
import type { Artifact, Job, Workflow, WorkflowRun } from "./workflow-run.ts";

/** One repository: everything that is not in git. Maps keep creation order. */
export interface Repository {
  readonly id: number;
  owner: Account;
  name: string;
  description: string | null;
  readonly private: boolean;
  archived: boolean;
  defaultBranch: string;
  /** The bare repository, the only truth about git. */
  readonly git: GitRepository;
  readonly collaborators: Map<number, Role>;
  readonly secrets: Map<string, string>;
  /** Of its owner, where that is an organisation that shares them with it; the repository's own go first. */
  readonly sharedSecrets: Map<string, string>;
  readonly variables: Map<string, string>;
  actionsEnabled: boolean;
  allowedMergeMethods: Set<"merge" | "squash" | "rebase">;
  squashMessage: "PR_BODY" | "COMMIT_MESSAGES" | "BLANK";
  deleteBranchOnMerge: boolean;
  readonly rules: BranchRule[];
  readonly createdAt: number;
  pushedAt: number;
  nextNumber: number;
  /** By lower-cased name. */
  readonly labels: Map<string, Label>;
  readonly issues: Map<number, Issue>;
  readonly comments: Map<number, Comment>;
  readonly events: IssueEvent[];
  readonly pulls: Map<number, Pull>;
  readonly reviews: Map<number, Review>;
  readonly reviewComments: Map<number, ReviewComment>;
  readonly checkSuites: Map<number, CheckSuite>;
  readonly checkRuns: Map<number, CheckRun>;
  readonly statuses: CommitStatus[];
  /** By path. */
  readonly workflows: Map<string, Workflow>;
  readonly runs: Map<number, WorkflowRun>;
  readonly jobs: Map<number, Job>;
  readonly artifacts: Map<number, Artifact>;
  /** Commits GitHub signed for a bot. */
  readonly signedCommits: Set<string>;
}

export function formatFullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}
