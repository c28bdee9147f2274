import type { Config } from "../../contracts/config.ts";
import type { Sha } from "../../contracts/ids.ts";
import type { GivenPlan } from "../../engine/fact.ts";
import type { Issue, RepositoryPort } from "../../github/port.ts";
import { buildGivenDraft } from "../../plan/given/build-given-draft.ts";
import { parseGivenText } from "../../plan/given/parse-given-text.ts";
import { readIssuePlan } from "../../plan/given/read-issue-plan.ts";
import { mayCommand } from "../may-command.ts";
import type { PreflightProblem } from "./preflight.ts";

export type LoadedGivenPlan =
  /** null: the planner is asked. */
  | { readonly outcome: "loaded"; readonly given: GivenPlan | null }
  | { readonly outcome: "problem"; readonly problem: PreflightProblem };

/** @param intent the sanitised issue, the only text of it that counts. */
export async function loadGivenPlan(
  repository: RepositoryPort,
  config: Config["plan"],
  about: { readonly issue: Issue; readonly intent: string; readonly fork: Sha },
): Promise<LoadedGivenPlan> {
  const { issue } = about;
  switch (config.source) {
    case "agent":
      return { outcome: "loaded", given: null };
    case "issue": {
      const reading = readIssuePlan(about.intent);
      const where = "in the issue";
      if (reading.kind === "none")
        return refuse(
          `There is no plan ${where}.`,
          "Add a fenced block with the language `taskfleet` that holds `chunks` as YAML or JSON, or use the issue form",
        );
      if (reading.kind === "broken") return refuse(`The plan ${where} cannot be read: ${reading.why}.`, "Mend it");
      const writer = mayCommand(await repository.loadRole(issue.author.login));
      const text = buildGivenDraft(reading.value, issue.title);
      return { outcome: "loaded", given: { source: "issue", text, by: issue.author.login, writer } };
    }
    case "file": {
      const path = config.file.replaceAll("{issue}", `${issue.number}`);
      const file = await repository.loadFile(path, about.fork);
      if (file === null) return refuse(`There is no plan: \`${path}\` is not on the source branch.`, "Commit the file");
      const reading = parseGivenText(file.text);
      if (reading.kind !== "found")
        return refuse(
          `The plan in \`${path}\` cannot be read: ${reading.kind === "broken" ? reading.why : "it is empty"}.`,
          "Mend it",
        );
      // Who can commit there can write.
      const text = buildGivenDraft(reading.value, issue.title);
      return { outcome: "loaded", given: { source: "file", text, by: path, writer: true } };
    }
  }
}

function refuse(what: string, fix: string): LoadedGivenPlan {
  return {
    outcome: "problem",
    problem: {
      what,
      why: "`plan.source` in `.github/taskfleet.yml` says that no planner is asked.",
      fix: `${fix}, or set \`plan.source\` to \`agent\`.`,
    },
  };
}
