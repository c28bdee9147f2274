import { foldCase } from "../../contracts/case-folding.ts";

/** Gives out role names that stay unique when case is ignored; a taken one gets `.2`, `.3`, … */
export class RoleNames {
  readonly #taken = new Set<string>();

  constructor(reserved: readonly string[]) {
    for (const name of reserved) this.#taken.add(foldCase(name));
  }

  take(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(foldCase(name)); number += 1) name = `${wanted}.${number}`;
    this.#taken.add(foldCase(name));
    return name;
  }
}
