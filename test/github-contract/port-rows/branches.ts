import { DOCS, REPORTS } from "../links.ts";
import { commitOn, outcomeOf } from "../place.ts";
import { type PortRow, row } from "./port-row.ts";

export const branchRows: readonly PortRow[] = [
  row(
    "A branch is made a second time where it is already, and not elsewhere.",
    ["done", "conflict"],
    [REPORTS.refExists],
    async (place) => {
      const { repository, main } = place;
      await repository.createBranch("taskfleet/a", main);
      const again = await outcomeOf(repository.createBranch("taskfleet/a", main));
      await commitOn(place, "taskfleet/a", { "a.txt": "1\n" });
      return [again, await outcomeOf(repository.createBranch("taskfleet/a", main))];
    },
  ),
  row("A branch moves forward only.", ["conflict", true], [DOCS.refs], async (place) => {
    const { repository, main } = place;
    const tip = await commitOn(place, "taskfleet/b", { "b.txt": "1\n" });
    const back = await outcomeOf(repository.updateBranch("taskfleet/b", main));
    return [back, (await repository.loadBranch("taskfleet/b")) === tip];
  }),
  row(
    "A branch that is not there is not moved.",
    "conflict",
    [REPORTS.updateMissingRef],
    async ({ repository, main }) => outcomeOf(repository.updateBranch("taskfleet/none", main)),
  ),
  row("A branch is deleted twice without harm.", ["done", "done", null], [DOCS.refs], async ({ repository, main }) => {
    await repository.createBranch("taskfleet/c", main);
    const remove = (): Promise<string> => outcomeOf(repository.deleteBranch("taskfleet/c"));
    return [await remove(), await remove(), await repository.loadBranch("taskfleet/c")];
  }),
  row(
    "Branches are found by how their names begin.",
    [["taskfleet/prefix-one", "taskfleet/prefix-two"], []],
    [DOCS.refs],
    async ({ repository, main }) => {
      await repository.createBranch("taskfleet/prefix-one", main);
      await repository.createBranch("taskfleet/prefix-two", main);
      const found = await repository.loadBranches("taskfleet/prefix-");
      return [found.toSorted(), await repository.loadBranches("taskfleet/prefix-one/")];
    },
  ),
  row("A commit is merged into a branch once.", [true, null], [DOCS.mergeBranch], async (place) => {
    const one = await commitOn(place, "taskfleet/one", { "one.txt": "1\n" });
    await commitOn(place, "taskfleet/two", { "two.txt": "2\n" });
    const merged = await place.repository.mergeIntoBranch("taskfleet/two", one, "Merge one");
    const second = merged === null ? null : (await place.repository.loadCommit(merged)).parents[1];
    return [second === one, await place.repository.mergeIntoBranch("taskfleet/two", one, "Again")];
  }),
  row("Where both changed a file there is no merge.", "conflict", [DOCS.mergeBranch], async (place) => {
    await commitOn(place, "taskfleet/mine", { "README.md": "# Mine\n" });
    const yours = await commitOn(place, "taskfleet/yours", { "README.md": "# Yours\n" });
    return outcomeOf(place.repository.mergeIntoBranch("taskfleet/mine", yours, "Clash"));
  }),
];
