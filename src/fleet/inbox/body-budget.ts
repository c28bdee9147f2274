/**
 * How many bytes of deliveries are in memory at once. A body is held several times over while its signature is
 * verified, it is parsed and stored; a burst of large ones waits in the sockets instead. What counts is what has
 * arrived: nobody has proved anything yet, and an announcement costs its sender nothing.
 */
export class BodyBudget {
  readonly #bytes: number;
  #held = 0;
  readonly #waiting: Waiting[] = [];
  /** Goes on when nothing fits: bodies that are half there would otherwise wait for each other. */
  #favoured: BodyShare | null = null;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** @returns the part of one body, nothing yet. */
  open(): BodyShare {
    let held = 0;
    let closed = false;
    const share: BodyShare = {
      grow: (bytes) =>
        new Promise((resolve) => {
          const enter = (): void => {
            this.#held += bytes;
            held += bytes;
            resolve(true);
          };
          if (closed) resolve(false);
          else if (this.#favoured === share) enter();
          else {
            this.#waiting.push({ share, bytes, enter, leave: () => resolve(false) });
            this.#admit();
          }
        }),
      close: () => {
        if (closed) return;
        closed = true;
        this.#held -= held;
        if (this.#favoured === share) this.#favoured = null;
        const at = this.#waiting.findIndex((one) => one.share === share);
        if (at !== -1) this.#waiting.splice(at, 1)[0]?.leave();
        this.#admit();
      },
    };
    return share;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const fits = this.#held + next.bytes <= this.#bytes;
      if (!fits && this.#favoured !== null) return;
      if (!fits) this.#favoured = next.share;
      this.#waiting.shift();
      next.enter();
    }
  }
}

/** What one body holds. */
export interface BodyShare {
  /** Resolves when there is room for so much more of it, in the order of asking; one call at a time. @returns false once it is closed. */
  grow(bytes: number): Promise<boolean>;
  /** Gives everything back; calling it again does nothing. */
  close(): void;
}

interface Waiting {
  readonly share: BodyShare;
  readonly bytes: number;
  readonly enter: () => void;
  readonly leave: () => void;
}
