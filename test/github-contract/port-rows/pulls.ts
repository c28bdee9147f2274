import { DOCS, REPORTS } from "../links.ts";
import { commitOn, outcomeOf } from "../place.ts";
import { openPull, readPull } from "./open-pull.ts";
import { type PortRow, row } from "./port-row.ts";

export const pullRows: readonly PortRow[] = [
  row("One open pull request per head and base.", "conflict", [REPORTS.pullExists], async (place) => {
    await openPull(place, "taskfleet/once");
    const again = { head: "taskfleet/once", base: "main", title: "T", body: "", draft: false };
    return outcomeOf(place.repository.createPull(again));
  }),
  row("None without commits.", "terminal", [DOCS.createPull], async ({ repository, main }) => {
    await repository.createBranch("taskfleet/empty", main);
    const empty = { head: "taskfleet/empty", base: "main", title: "T", body: "", draft: false };
    return outcomeOf(repository.createPull(empty));
  }),
  row(
    "A draft becomes ready, and its head is followed.",
    { draft: false, body: "C", follows: true },
    [REPORTS.graphqlDraft, DOCS.updatePull],
    async (place) => {
      const { repository } = place;
      const first = await commitOn(place, "taskfleet/draft", { "p.txt": "1\n" });
      const created = await repository.createPull({
        head: "taskfleet/draft",
        base: "main",
        title: "T",
        body: "B",
        draft: true,
      });
      await repository.updatePull(created.number, { body: "C" });
      await repository.markReady(created.nodeId);
      const more = await commitOn(place, "taskfleet/draft", { "p.txt": "2\n" }, first);
      await place.idle();
      const { draft, body, head } = await repository.loadPull(created.number);
      return { draft, body, follows: head.sha === more };
    },
  ),
  row("A closed one makes room, and the newest is listed first.", true, [DOCS.createPull], async (place) => {
    const { repository } = place;
    const { pull } = await openPull(place, "taskfleet/room");
    await repository.updatePull(pull.number, { state: "closed" });
    const second = await repository.createPull({
      head: "taskfleet/room",
      base: "main",
      title: "T",
      body: "",
      draft: false,
    });
    const listed = (await repository.loadPullsByHead("taskfleet/room")).map(({ number }) => number);
    const isOpen = (await repository.loadOpenPulls()).some(({ number }) => number === second.number);
    return listed.join() === [second.number, pull.number].join() && isOpen;
  }),
  row(
    "A base that comes to contain a head marks the pull request merged, and its branch may go then.",
    [
      { state: "closed", merged: true },
      { state: "closed", merged: true },
    ],
    [DOCS.indirectMerges],
    async (place) => {
      await place.repository.createBranch("taskfleet/base", place.main);
      const { head, pull } = await openPull(place, "taskfleet/head", "taskfleet/base");
      await place.repository.updateBranch("taskfleet/base", head);
      const before = await readPull(place, pull.number);
      await place.repository.deleteBranch("taskfleet/head");
      return [before, await readPull(place, pull.number)];
    },
  ),
  row(
    "One whose head is deleted is closed, not merged.",
    { state: "closed", merged: false },
    [REPORTS.deletedTooEarly],
    async (place) => {
      const { pull } = await openPull(place, "taskfleet/gone");
      await place.repository.deleteBranch("taskfleet/gone");
      return readPull(place, pull.number);
    },
  ),
  row(
    "One is merged only at the commit that was meant.",
    ["conflict", { state: "closed", merged: true }, true],
    [DOCS.mergePull],
    async (place) => {
      const { repository, main } = place;
      await repository.createBranch("taskfleet/target", main);
      const { head, pull } = await openPull(place, "taskfleet/source", "taskfleet/target");
      const merge = { sha: head, method: "merge", title: "Merge", message: "" } as const;
      const other = await outcomeOf(repository.mergePull(pull.number, { ...merge, sha: main }));
      const commit = await repository.mergePull(pull.number, merge);
      const { parents } = await repository.loadCommit(commit);
      return [other, await readPull(place, pull.number), parents.join() === [main, head].join()];
    },
  ),
];
