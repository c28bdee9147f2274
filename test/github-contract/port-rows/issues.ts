import { DOCS } from "../links.ts";
import { type PortRow, row } from "./port-row.ts";

export const issueRows: readonly PortRow[] = [
  row(
    "Comments are ours, in order, and can be edited.",
    [
      ["One, edited.", true],
      ["Two.", true],
    ],
    [DOCS.comments],
    async ({ repository, issue }) => {
      const first = await repository.createComment(issue, "One.");
      const second = await repository.createComment(issue, "Two.");
      await repository.updateComment(first.id, "One, edited.");
      const ids = [first.id, second.id];
      return (await repository.loadComments(issue))
        .filter(({ id }) => ids.includes(id))
        .map(({ body, own }) => [body, own]);
    },
  ),
  row(
    "Of the comments those are asked for that changed since a time, also by being edited.",
    [["Later."], ["Before, edited.", "Later."], []],
    [DOCS.comments],
    async (place) => {
      const { repository, issue } = place;
      // GitHub tells whole seconds.
      const first = await repository.createComment(issue, "Before.");
      await place.wait(1_100);
      const since = place.now();
      await place.wait(1_100);
      const second = await repository.createComment(issue, "Later.");
      const list = async (from: number): Promise<readonly string[]> =>
        (await repository.loadComments(issue, from))
          .filter(({ id }) => id === first.id || id === second.id)
          .map(({ body }) => body);
      const unedited = await list(since);
      await repository.updateComment(first.id, "Before, edited.");
      return [unedited, await list(since), await list(place.now() + 60_000)];
    },
  ),
  row(
    "Of the issues with a label those are asked for that changed since a time.",
    [true, []],
    [DOCS.issues],
    async (place) => {
      const { repository, issue, label } = place;
      const before = place.now() - 60_000;
      await label("changed", "set");
      return [
        (await repository.loadLabeledIssues("changed", before)).includes(issue),
        await repository.loadLabeledIssues("changed", place.now() + 60_000),
      ];
    },
  ),
  row(
    "A label tells who set it, and open issues are found by it, in whatever case it is written.",
    { found: [true, false], by: true, recent: true },
    [DOCS.issues, DOCS.issueEvents],
    async (place) => {
      const { repository, issue, writer, label } = place;
      const before = place.now();
      const isFound = async (): Promise<boolean> => (await repository.loadLabeledIssues("taskfleet")).includes(issue);
      await label("taskfleet", "set");
      const set = await isFound();
      const labeling = await repository.loadLabeling(issue, "TaskFleet");
      await label("taskfleet", "taken off");
      return {
        found: [set, await isFound()],
        by: labeling?.by.login === writer,
        // GitHub tells whole seconds.
        recent: (labeling?.at ?? 0) >= Math.floor(before / 1000) * 1000,
      };
    },
  ),
  row(
    "An issue tells when it changed last; labels and comments are changes.",
    [true, true],
    [DOCS.issues],
    async (place) => {
      const { repository, issue, label } = place;
      const isFresh = async (at: number): Promise<boolean> =>
        ((await repository.loadIssue(issue))?.updatedAt ?? 0) >= at;
      await label("fresh", "set");
      const labeled = await isFresh((await repository.loadLabeling(issue, "fresh"))?.at ?? Infinity);
      await repository.createComment(issue, "Three.");
      const said = (await repository.loadComments(issue)).at(-1)?.createdAt ?? Infinity;
      return [labeled, await isFresh(Math.floor(said / 1000) * 1000)];
    },
  ),
  row("A label nobody set was set by nobody.", null, [DOCS.issueEvents], ({ repository, issue }) =>
    repository.loadLabeling(issue, "never-set"),
  ),
  row("An issue is read and closed.", ["open", "closed", null], [DOCS.issues], async ({ repository, issue }) => {
    const before = await repository.loadIssue(issue);
    await repository.closeIssue(issue);
    const after = await repository.loadIssue(issue);
    return [before?.state, after?.state, await repository.loadIssue(99_999_999)];
  }),
];
