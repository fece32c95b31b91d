import type { ExchangeRecord } from './exchange-record.ts';

/** Stores the exchanges with the endpoints of Flows. */
export interface ExchangeStore {
  add(flow: string, record: ExchangeRecord): Promise<void>;
  /** Reads the latest exchanges of a Flow, newest first. */
  latest(flow: string, now: number): Promise<ExchangeRecord[]>;
}
