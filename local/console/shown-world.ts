import type { WorldDescription } from '../world-description.ts';

/** What the page learns of the world: everything but what only programs need. */
export type ShownWorld = Omit<WorldDescription, 'aws'>;

export function shownWorld({ aws: _, ...world }: WorldDescription): ShownWorld {
  return world;
}
