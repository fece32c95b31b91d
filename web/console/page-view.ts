import type { ComponentType } from 'preact';
import type { WorldNumber } from './bar.tsx';
import type { Live } from './live.ts';
import type { Snapshot } from './snapshot.ts';

export interface PageProps {
  readonly snapshot: Snapshot;
  readonly live: Live;
  /** The number that is chosen above the pages. Absent if none is active. */
  readonly number: WorldNumber | undefined;
  /** The parts of the address behind the page's own, such as the number and the contact of a chat. */
  readonly rest: readonly string[];
}

export type PageView = ComponentType<PageProps>;
