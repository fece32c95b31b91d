import type { WorldDescription } from '../world-description.ts';
import type { Subscribers } from './subscribers.ts';

/** What the page learns of the world. The token is for the commands that it shows. */
export type ShownWorld = Pick<WorldDescription, 'base_url' | 'upstream_url' | 'code_version' | 'tokens'> & Subscribers;

export function shownWorld(description: WorldDescription, subscribers: Subscribers): ShownWorld {
  const { base_url, upstream_url, code_version, tokens } = description;
  return { base_url, upstream_url, code_version, tokens, ...subscribers };
}
