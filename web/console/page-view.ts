import type { ComponentType } from 'preact';
import type { Live } from './live.ts';
import type { Snapshot } from './snapshot.ts';

export interface PageProps {
  readonly snapshot: Snapshot;
  readonly live: Live;
  /** The parts of the address behind the page's own, such as the number and the contact of a chat. */
  readonly rest: readonly string[];
}

export type PageView = ComponentType<PageProps>;
