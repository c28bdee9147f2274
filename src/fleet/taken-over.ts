/** The work is another process's by now, or may be: nothing more is done here, as if this process had ended. */
export class TakenOver extends Error {
  override readonly name = "TakenOver";

  constructor(options?: ErrorOptions) {
    super("another process has taken it over", options);
  }
}
