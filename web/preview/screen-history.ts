import type { FlowRun } from './flow-run.ts';

/** Browsers forget the oldest of fifty entries; to one that is forgotten nobody can go back. */
const maxDepth = 40;

/**
 * Makes the browser's back button that of the phone: its history is kept as deep as the stack of screens. The state of
 * each entry is the depth that it stands for; a link to a screen begins anew with an entry of its own.
 */
export class ScreenHistory {
  readonly #run: FlowRun;
  #hash = location.hash;
  /** Whether one of the two is on its way to where the other is already. */
  #isFollowing = false;

  constructor(run: FlowRun) {
    this.#run = run;
    if (history.state === null) history.replaceState(1, '');
    addEventListener('popstate', () => this.#arrive());
  }

  /** To be called whenever the Flow has changed. A completed Flow keeps nobody from leaving. */
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

  /** Takes the Flow to where the browser's user went. */
  #lead(isLink: boolean): void {
    if (isLink) this.#run.followLink();
    else for (let left = this.#depth() - history.state; left > 0; left -= 1) this.#run.back();
  }
}
