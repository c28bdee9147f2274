import type { Chance } from "../chance.ts";
import type { GitHubModel } from "../model/github-model.ts";
import type { Scenario } from "../scenario.ts";
import type { Events } from "../world/events.ts";

export const MINUTE = 60_000;

/** What people share: the repository, the issue they care for, and what somebody still means to do. */
export class Scene {
  readonly model: GitHubModel;
  readonly scenario: Scenario;
  readonly chance: Chance;
  /** The number of their issue; 0 until it is opened. */
  issue = 0;
  readonly #events: Events;
  #intended = 0;

  constructor(model: GitHubModel, scenario: Scenario, events: Events) {
    this.model = model;
    this.scenario = scenario;
    this.chance = scenario.chance.scope("people");
    this.#events = events;
  }

  /** Whether anything that somebody means to do has not been done yet. */
  get pending(): boolean {
    return this.#intended > 0;
  }

  /** Something that is done in `ms` milliseconds, unless the story goes without it. */
  intend(id: string, ms: number, words: string, act: () => void): void {
    this.#intended += 1;
    this.model.time.after(ms, () => {
      this.#intended -= 1;
      if (this.note(id, words)) act();
    });
  }

  /** @returns false when the story goes without it. */
  note(id: string, words: string): boolean {
    return this.#events.note(`person:${id}`, words);
  }
}
