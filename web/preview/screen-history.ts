import type { FlowRun } from './flow-run.ts';

/** Browsers keep only fifty entries, so nobody can go back beyond them. */
const maxDepth = 40;

/**
 * Makes the browser's back button work like the phone's: the browser's history has as many entries as the stack has
 * screens. The state of each entry is its depth. A link to a screen starts again with a new entry.
 */
export class ScreenHistory {
  readonly #run: FlowRun;
  #hash = location.hash;
  /** Whether the browser's history or the Flow is still following the other. */
  #isFollowing = false;

  constructor(run: FlowRun) {
    this.#run = run;
    if (history.state === null) history.replaceState(1, '');
    addEventListener('popstate', () => this.#arrive());
  }

  /** Call this whenever the Flow has changed. The user can leave the page once the Flow is completed. */
  follow(): void {
    if (this.#isFollowing || this.#run.state.status !== 'open') return;
    const depth = this.#depth();
    while (history.state < depth) history.pushState(history.state + 1, '');
    if (history.state === depth) return;
    this.#isFollowing = true;
    history.go(depth - history.state);
  }

  #depth(): number {
    return Math.min(this.#run.state.stack.length || 1, maxDepth);
  }

  #arrive(): void {
    const isNew = history.state === null;
    const isExpected = this.#isFollowing && !isNew;
    const isLink = isNew || location.hash !== this.#hash;
    this.#hash = location.hash;
    this.#isFollowing = true;
    if (!isExpected) this.#lead(isLink);
    if (isNew) history.replaceState(this.#depth(), '');
    this.#isFollowing = false;
    this.follow();
  }

  /** Takes the Flow to the screen to which the user went in the browser. */
  #lead(isLink: boolean): void {
    if (isLink) this.#run.followLink();
    else for (let left = this.#depth() - history.state; left > 0; left -= 1) this.#run.back();
  }
}
