import type { ExchangeRecord } from './exchange-record.ts';

/** The exchanges with the endpoints of Flows. */
export interface ExchangeStore {
  add(flow: string, record: ExchangeRecord): Promise<void>;
  /** The latest of a Flow, newest first. */
  latest(flow: string, now: number): Promise<ExchangeRecord[]>;
}
