/** What a tracker mirror needs of GitHub. */

/** An issue below another one. */
export interface SubIssue {
  /** What relations are made by. */
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  /** Whether our own App wrote it, in this repository: only then may it be changed by its number. */
  readonly own: boolean;
}

/** Issues below an issue, and what they wait for: a picture for people, which anybody with triage rights may change. */
export interface TrackerPort {
  /** In their order; at most 100, GitHub's limit, closed ones included. */
  loadSubIssues(parent: number): Promise<readonly SubIssue[]>;
  /** Issues of this repository that our App wrote, below another one or not, that changed since (ms). */
  loadOwnIssues(since: number): Promise<readonly SubIssue[]>;
  /** Two requests: one that failed after the first leaves an issue without a parent, for {@link attachSubIssue}. */
  createSubIssue(parent: number, issue: { readonly title: string; readonly body: string }): Promise<SubIssue>;
  /** @param id the issue's. One that is below this parent, or by somebody's hand below another one, stays where it is. */
  attachSubIssue(parent: number, id: number): Promise<void>;
  updateSubIssue(
    number: number,
    change: {
      readonly title?: string;
      readonly body?: string;
      readonly state?: "open" | "completed" | "not_planned";
    },
  ): Promise<void>;
  /** Ids of the issues it is blocked by. */
  loadBlockers(number: number): Promise<readonly number[]>;
  /** @param id the blocking issue's. One that is there already is success. */
  addBlocker(number: number, id: number): Promise<void>;
  /** One that is gone already is success. */
  removeBlocker(number: number, id: number): Promise<void>;
}
