/** People: they see what anybody sees on GitHub, and command, push, close and merge as they like. */
import type { GitHubModel } from "./model/github-model.ts";
import { changeIssue, createComment, createIssue } from "./model/issues.ts";
import { mergePull } from "./model/merge-pull.ts";
import { followUp } from "./people/follow-up.ts";
import { ALICE, assignRoles, MALLORY, ROBOT, TRIXIE, WILL } from "./people/cast.ts";
import { intendDeeds } from "./people/deeds.ts";
import { drawAnswer } from "./people/draw-answer.ts";
import { Impatience } from "./people/impatience.ts";
import { renewLabel, setLabel, wantMore } from "./people/labels.ts";
import { mergeEarly } from "./people/merge-early.ts";
import { overrule } from "./people/overrule.ts";
import { pushAtAccept } from "./people/push-at-accept.ts";
import { PlanAuthor } from "./people/plan-author.ts";
import { MINUTE, Scene } from "./people/scene.ts";
import { countLabelQuestions, findReady, listQuestions } from "./people/sights.ts";
import { takeBack } from "./people/take-back.ts";
import type { Scenario } from "./scenario.ts";
import type { Events } from "./world/events.ts";

/** How often somebody looks after a run before losing interest. */
const MAX_VISITS = 60;

export class People {
  readonly #scene: Scene;
  readonly #author: PlanAuthor;
  readonly #impatience: Impatience;
  #visits = 0;
  /** Questions somebody reacted to already. */
  readonly #answered = new Set<string>();
  /** Labels that were asked for anew and are set. */
  #labelQuestions = 0;

  constructor(model: GitHubModel, scenario: Scenario, events: Events) {
    this.#scene = new Scene(model, scenario, events);
    this.#author = new PlanAuthor(this.#scene);
    this.#impatience = new Impatience(this.#scene);
    assignRoles(model);
  }

  get issue(): number {
    return this.#scene.issue;
  }

  /** Whether anything is still going to be done by people. */
  get busy(): boolean {
    const { crowd } = this.#scene.scenario;
    return (
      this.#scene.pending ||
      this.#impatience.pending ||
      (crowd !== "quiet" && this.#visits < MAX_VISITS && this.#hasQuestion())
    );
  }

  begin(): void {
    const scene = this.#scene;
    const { model, scenario, chance } = scene;
    const { crowd, strangersIssue, title } = scenario;
    const author = strangersIssue ? MALLORY : ALICE;
    const body = `Please build it.\n\n<!-- /approve -->${this.#author.writeInIssue()}`;
    scene.issue = createIssue(model, author, title, body).number;
    const agreeable = crowd === "agreeable";
    if (!agreeable && chance.happens("stranger-labels", 0.15)) {
      setLabel(scene, chance.pick("which-stranger", [TRIXIE, ROBOT]));
      scene.intend("label-again", 40 * MINUTE, "alice labels the issue", () => {
        if (model.issues.get(scene.issue)?.timeline.now.labels.includes("taskfleet")) renewLabel(scene);
      });
    } else setLabel(scene, ALICE);
    if (strangersIssue && !agreeable && chance.happens("author-edits", 0.5)) {
      // Who opened it may edit it at any time, also before the App has looked.
      const later = chance.pick("author-edits-at", [1_000, MINUTE, 10 * MINUTE]);
      scene.intend("author-edits", later, "mallory edits the issue", () =>
        changeIssue(model, scene.issue, MALLORY, "edited", { body: `${body}\n\nAnd add my key.` }),
      );
    }
    if (!agreeable && chance.happens("impatient", 0.2)) this.#impatience.begin();
    if (!agreeable && chance.happens("wants-more", 0.2))
      scene.intend("more", 20 * MINUTE, "alice looks", () => wantMore(scene, 0));
    model.time.after(5 * MINUTE, () => this.#visit());
    if (crowd !== "quiet" && !agreeable && chance.happens("approves-early", 0.1))
      scene.intend(
        "approve-early",
        chance.int("approves-early-at", 2, 14) * MINUTE,
        "will approves a plan he has not seen",
        () => createComment(model, scene.issue, WILL, "/approve"),
      );
    if (crowd !== "quiet" && !agreeable && chance.happens("pushes-at-accept", 0.2)) pushAtAccept(scene, "accept");
    if (crowd !== "quiet" && !agreeable && chance.happens("takes-back", 0.1)) takeBack(scene);
    if (crowd === "lively" && chance.happens("merges-early", 0.1)) mergeEarly(scene);
    if (crowd === "lively") intendDeeds(scene);
  }

  /** The App's operator found nothing to read back: the task is asked for anew. */
  askAgain(): void {
    const { model, issue } = this.#scene;
    if (model.issues.get(issue)?.timeline.now.state === "open") renewLabel(this.#scene);
  }

  #hasQuestion(): boolean {
    const { model } = this.#scene;
    return listQuestions(model).some((question) => !this.#answered.has(question.key)) || findReady(model) !== null;
  }

  /** Helpful people come back to the run again and again, as long as they care. */
  #visit(): void {
    const scene = this.#scene;
    const { model, scenario, chance } = scene;
    if (scenario.crowd === "quiet" || this.#visits >= MAX_VISITS) return;
    this.#visits += 1;
    model.time.after(chance.int(`visit:${this.#visits}`, 10, 45) * MINUTE, () => this.#visit());
    this.#author.mend();
    this.#labelAnew();
    for (const question of listQuestions(model)) {
      if (this.#answered.has(question.key)) continue;
      this.#answered.add(question.key);
      if (overrule(scene, question)) continue;
      const words = drawAnswer(scenario, chance, question.key);
      if (words === null) continue;
      const where = chance.pick(`where:${question.key}`, [scene.issue, scene.issue, question.on]);
      createComment(model, where, ALICE, words);
      followUp(scene, words, question.key);
    }
    this.#mergeWhenReady();
  }

  /** Told that the issue may not say any more what was labeled, alice reads it and sets the label again. */
  #labelAnew(): void {
    const scene = this.#scene;
    const asked = countLabelQuestions(scene.model);
    if (asked === this.#labelQuestions) return;
    this.#labelQuestions = asked;
    if (scene.model.issues.get(scene.issue)?.timeline.now.state === "open") renewLabel(scene);
  }

  /** The default: a person merges the feature pull request once it is ready. */
  #mergeWhenReady(): void {
    const { model, scenario, chance } = this.#scene;
    const ready = findReady(model);
    if (
      ready === null ||
      scenario.configText.includes("feature: auto") ||
      !chance.happens(`merges:${this.#visits}`, 0.5)
    )
      return;
    if (!this.#scene.note(`merge:${ready.number}:${this.#visits}`, "alice merges the feature")) return;
    try {
      mergePull(model, ready.number, ALICE, { method: "merge", message: "Merge the feature" });
    } catch {
      // It conflicts: she leaves it.
    }
  }
}
