import type { FlowRecord } from '../flows/flow.ts';
import type { PreviewRecord } from './preview.ts';

/** The result of a guess. */
export type Guessed = 'right' | 'wrong' | 'locked';

/** Stores previews by id. A new generation of a Flow invalidates all previews of earlier ones. */
export interface PreviewStore {
  get(id: string): Promise<PreviewRecord | undefined>;
  /**
   * Compares a guess by its hash, and counts a wrong one, in one conditional write. So even of simultaneous guesses,
   * only as many are compared as there are tries. A right guess costs no try and never blocks another.
   *
   * @param address the IP address of the client, which has a number of tries for itself
   */
  tryGuess(id: string, guessHash: string, address: string): Promise<Guessed>;
  /**
   * Stores the preview if its Flow still exists and has the generation that `flow` shows. Resolves with `false` when
   * the Flow was deleted or another request invalidated its previews in the meantime. With `invalidatePrevious`, the
   * Flow gets the preview's generation.
   */
  create(preview: PreviewRecord, flow: FlowRecord, invalidatePrevious: boolean): Promise<boolean>;
}
