import type { ReplyProblem } from '#shared/flow-json/reply/endpoint-reply.ts';
import type { Fault } from './fault.ts';

/** The facts of one exchange that the Flow's owner may see; never what was exchanged. */
export interface ExchangeRecord {
  /** Epoch milliseconds. */
  at: number;
  /** The preview that it was made in; `null` for a phone's, or the upstream's health check. */
  preview: string | null;
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
  /** Why it failed or, of an answer that was relayed, the first thing that a phone may not make much of. */
  fault: Fault | null;
  /** All that an answer which was relayed does not have as its Flow declares it. */
  findings: readonly ExchangeFinding[];
}

export interface ExchangeFinding {
  code: ReplyProblem['code'];
  /** The screen or the member of the answer that it is about; `null` where its name may be content. */
  path: string | null;
  /** Of `wrong-type`: the declared one. */
  expected: string | null;
}
