import { describeBlockingRules } from "../../../src/github/blocking-rules.ts";
import { DOCS, REPORTS } from "../links.ts";
import { commitOn, outcomeOf } from "../place.ts";
import { type PortRow, row } from "./port-row.ts";

export const accessRows: readonly PortRow[] = [
  row("An App knows the repositories it is installed on.", true, [DOCS.installations], async ({ port, repository }) =>
    (await port.loadRepositoryRefs()).some((ref) => JSON.stringify(ref) === JSON.stringify(repository.ref)),
  ),
  row(
    "A repository is found by its name in whatever case it is written, and one that is not there is nothing.",
    [true, true, null],
    [DOCS.repositoryInstallation],
    async ({ port, repository }) => {
      const { owner, name, id } = repository.ref;
      const find = async (first: string, second: string): Promise<boolean> =>
        (await port.loadRepositoryRef(first, second))?.id === id;
      return [
        await find(owner, name),
        await find(owner.toUpperCase(), name.toUpperCase()),
        await port.loadRepositoryRef(owner, "x-no-repository-has-this-name-x"),
      ];
    },
  ),
  row(
    "A repository says who it is and what its default branch is.",
    { same: true, defaultBranch: "main", archived: false, private: false },
    [DOCS.repository],
    async ({ repository }) => {
      const { id, owner, name, defaultBranch, archived, private: hidden } = await repository.loadRepository();
      const { ref } = repository;
      const same = id === ref.id && owner === ref.owner && name === ref.name;
      return { same, defaultBranch, archived, private: hidden };
    },
  ),
  row(
    "Somebody who maintains it has that role, however the login is written; nobody has none.",
    ["maintain", "maintain", "none"],
    [DOCS.collaborators, REPORTS.seePermission],
    async ({ repository, writer }) => [
      await repository.loadRole(writer),
      await repository.loadRole(writer.toUpperCase()),
      await repository.loadRole("x-nobody-has-this-name-x"),
    ],
  ),
  row(
    "A file of the owner's other repository is read; what is not there is nothing.",
    [true, null, null],
    [DOCS.contents],
    async ({ repository, shared }) => [
      (await repository.loadSharedFile(shared.repository, shared.path))?.text === shared.text,
      await repository.loadSharedFile(shared.repository, "nothing.yml"),
      await repository.loadSharedFile("x-no-repository-has-this-name-x", shared.path),
    ],
  ),
  row(
    "A branch without rulesets has no rules and demands no checks.",
    [[], []],
    [DOCS.rules],
    async ({ repository }) => [
      await repository.loadBranchRules("taskfleet/without-rules"),
      await repository.loadRequiredChecks("taskfleet/without-rules"),
    ],
  ),
  row(
    "A branch that takes pull requests only says so, and is for a person to open when it is moved.",
    { before: [], after: ["pull_request"], demands: [], moved: "misconfigured" },
    [DOCS.rules, DOCS.refs],
    async (place) => {
      const { repository, main } = place;
      const branch = "taskfleet/guarded";
      await repository.createBranch(branch, main);
      const ahead = await commitOn(place, "taskfleet/ahead-of-guarded", { "guarded.txt": "1\n" });
      const before = await repository.loadBranchRules(branch);
      place.protect(branch);
      const words = describeBlockingRules([{ type: "pull_request" }])[0]?.split(" (")[0] ?? "";
      const after = await repository.loadBranchRules(branch);
      return {
        before,
        after: after.map((rule) => (rule.startsWith(words) ? "pull_request" : rule)),
        demands: await repository.loadRequiredChecks(branch),
        moved: await outcomeOf(repository.updateBranch(branch, ahead)),
      };
    },
  ),
];
