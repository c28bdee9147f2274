import { pushFiles } from "../model/branches.ts";
import { changeIssue } from "../model/issues.ts";
import { GIVEN_FILE } from "../plant-repository.ts";
import { formatGivenPlan, type Given } from "../scenario.ts";
import { ALICE } from "./cast.ts";
import { renewLabel } from "./labels.ts";
import type { Scene } from "./scene.ts";
import { hasComment } from "./sights.ts";

/** Who wrote the given plan, where there is one. */
export class PlanAuthor {
  readonly #scene: Scene;
  #mended = false;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The plan as the issue carries it; empty where it is not given in the issue. */
  writeInIssue(): string {
    const { given } = this.#scene.scenario;
    return given?.where === "issue" ? this.#formatBlock(given.quality) : "";
  }

  /** Told that the plan cannot be read, whoever wrote it mends it and sets the label again. */
  mend(): void {
    const { model, scenario, issue } = this.#scene;
    const { given } = scenario;
    if (given?.quality !== "broken" || this.#mended || !hasComment(model, /^preflight:/u)) return;
    this.#mended = true;
    if (given.where === "issue") {
      const body = `Please build it.${this.#formatBlock("valid")}`;
      changeIssue(model, issue, ALICE, "edited", { body });
    } else
      pushFiles(model, model.defaultBranch, ALICE, "Mend the plan", {
        [GIVEN_FILE]: formatGivenPlan(scenario, "valid"),
      });
    renewLabel(this.#scene);
  }

  #formatBlock(quality: Given["quality"]): string {
    return `\n\n\`\`\`taskfleet\n${formatGivenPlan(this.#scene.scenario, quality).trimEnd()}\n\`\`\`\n`;
  }
}
