import { APP } from "../model/identities.ts";
import { renewLabel } from "./labels.ts";
import { MINUTE, type Scene } from "./scene.ts";

/** Somebody who sets the label again while nobody answers. */
export class Impatience {
  readonly #scene: Scene;
  /** How often they still mean to. */
  #left = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get pending(): boolean {
    return this.#left > 0;
  }

  begin(): void {
    const { model, chance } = this.#scene;
    this.#left = 2;
    for (let again = 1; again <= 2; again += 1)
      model.time.after(again * chance.int("impatience", 10, 60) * MINUTE, () => this.#labelAgain());
  }

  #labelAgain(): void {
    const { model, issue } = this.#scene;
    const state = model.issues.get(issue)?.timeline.now;
    this.#left -= 1;
    const silent = ![...model.comments.values()].some((comment) => comment.author.login === APP.login);
    // Once anybody was answered, nobody needs to.
    if (!silent) this.#left = Math.min(this.#left, 0);
    else if (state?.state === "open") renewLabel(this.#scene);
  }
}
