/** One queue per repository: refs change one after the other, by REST or by push. */
export class RefLocks {
  readonly #tails = new Map<number, Promise<void>>();

  /** Runs `task` when all earlier tasks of this repository have ended. */
  async run<T>(repositoryId: number, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(repositoryId) ?? Promise.resolve();
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    this.#tails.set(
      repositoryId,
      before.then(() => done),
    );
    await before;
    try {
      return await task();
    } finally {
      release();
    }
  }
}
