/**
 * How many bytes of deliveries are in memory at once. A body is held several times over while its signature is
 * verified, it is parsed and stored; a burst of large ones waits in the sockets instead.
 */
export class BodyBudget {
  readonly #bytes: number;
  #held = 0;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /**
   * Resolves when there is room, in the order of asking; what is larger than everything has it to itself.
   *
   * @returns gives the room back; calling it again does nothing.
   */
  async take(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((enter) => this.#waiting.push({ bytes, enter }));
    } else this.#held += bytes;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#held -= bytes;
      this.#admit();
    };
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#bytes;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      // Counted here already: whoever comes in between must not take it.
      this.#held += next.bytes;
      next.enter();
    }
  }
}
