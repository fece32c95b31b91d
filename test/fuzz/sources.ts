import type { WorldDescription } from '#local/world-description.ts';
import type { Pool } from './pool.ts';
import type { createValues } from './values.ts';

/** The sources from which requests are built. */
export interface Sources {
  readonly world: WorldDescription;
  readonly pool: Pool;
  readonly makeValue: ReturnType<typeof createValues>;
}

/** Valid by the document, with faults in it, or with valid types and hostile contents. */
export type Kind = 'valid' | 'mutated' | 'hostile';

/** Who sends a request; `invalid` has an invalid token. */
export type Principal = 'owner' | 'member' | 'stranger' | 'none' | 'invalid';
