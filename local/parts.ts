/** Something that runs until it is closed. */
export interface Part {
  close(): Promise<void> | void;
}

/** Parts that start one after the other, and stop in reverse. */
export class Parts {
  readonly #started = new AsyncDisposableStack();

  /** Waits until the part runs. `close` closes it. */
  async start<P extends Part>(part: P | Promise<P>): Promise<P> {
    return this.#started.adopt(await part, (running) => running.close());
  }

  /** Closes what has started, the last part first. */
  close(): Promise<void> {
    return this.#started.disposeAsync();
  }
}
