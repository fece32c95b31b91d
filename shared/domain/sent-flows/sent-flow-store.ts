import type { CountedStage, Progress } from './progress.ts';
import type { SentFlow } from './sent-flow.ts';

/** How many times a Flow was sent, and how far its contacts came. */
export interface FunnelCounts extends Record<CountedStage, number> {
  /** How many contacts saw each screen last without completing the Flow; only screens with contacts. */
  screens: ReadonlyMap<string, number>;
}

/** Stores the Flows that were sent, and counts them. */
export interface SentFlowStore {
  create(sent: SentFlow): Promise<void>;
  /** Finds a sent Flow by the hash of its token. */
  find(tokenHash: string): Promise<SentFlow | undefined>;
  /** Finds a sent Flow by the upstream's id of the message that sent it. */
  findByMessage(message: string): Promise<SentFlow | undefined>;
  /** Removes a sent Flow that is only prepared. */
  remove(tokenHash: string): Promise<void>;
  /**
   * Changes the record and the counts of its Flow, both or neither. Resolves with `false` if the record has changed
   * since it was read, or if other writes were in the way.
   */
  advance(sent: SentFlow, progress: Progress): Promise<boolean>;
  readFunnel(flow: string): Promise<FunnelCounts>;
}
