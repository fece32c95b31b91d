import type { FlowRecord } from '../flows/flow.ts';
import type { PreviewRecord } from './preview.ts';

/** What a guess was. */
export type Guessed = 'right' | 'wrong' | 'locked';

/** Previews by id. A new generation of a Flow invalidates all previews of earlier ones. */
export interface PreviewStore {
  get(id: string): Promise<PreviewRecord | undefined>;
  /**
   * Compares a guess, by its hash, and counts it if it is wrong, in one conditional write: of many guesses at once, no
   * more are looked at than there are tries, and a right one costs none and is never in the way of another.
   */
  tryGuess(id: string, guessHash: string): Promise<Guessed>;
  /**
   * Keeps the preview, if its Flow is still there and in the generation that `flow` shows. `false` when the Flow went
   * or another request invalidated its previews meanwhile. With `invalidatePrevious` the Flow moves on to the
   * preview's generation.
   */
  create(preview: PreviewRecord, flow: FlowRecord, invalidatePrevious: boolean): Promise<boolean>;
}
