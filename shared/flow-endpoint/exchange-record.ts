import type { Fault } from './fault.ts';

/** The facts of one exchange that the Flow's owner may see; never what was exchanged. */
export interface ExchangeRecord {
  /** Epoch milliseconds. */
  at: number;
  /** `null`, like the screens, when only the customer can read the request. */
  action: string | null;
  /** The one that the phone showed. */
  screen: string | null;
  /** The code that the phone reports of an answer before this exchange. */
  reported_error: string | null;
  /** The one that the customer's endpoint answered with. */
  answered_screen: string | null;
  /** What the customer's endpoint took. */
  duration_ms: number;
  /** Of its answer; `null` without one. */
  status: number | null;
  bytes: number | null;
  /** Whether the phone got its answer. */
  outcome: 'answered' | 'failed';
  /** Of an answer that was relayed, too: one that a phone may not make much of. */
  fault: Fault | null;
}
