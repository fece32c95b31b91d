import type { ResponseFinding } from '#shared/flow-json/response/endpoint-response.ts';
import type { Fault } from './fault.ts';

/** The facts of one exchange that the Flow's owner may see, without any content. */
export interface ExchangeRecord {
  /** Epoch milliseconds. */
  at: number;
  /** The preview that made the exchange; `null` for a phone and for the upstream's health check. */
  preview: string | null;
  /** `null`, like the screens, when only the customer can decrypt the request. */
  action: string | null;
  /** The screen that the phone showed. */
  screen: string | null;
  /** The error code that the phone reports about an earlier response. */
  reported_error: string | null;
  /** The screen in the response of the customer's endpoint. */
  answered_screen: string | null;
  /** The response time of the customer's endpoint. */
  duration_ms: number;
  /** The status of its response; `null` without one. */
  status: number | null;
  bytes: number | null;
  /** Whether the phone got the response. */
  outcome: 'answered' | 'failed';
  /** Why the exchange failed or, if the response was relayed, the first problem that a phone may have with it. */
  fault: Fault | null;
  /** Everything in a relayed response that differs from what its Flow declares. */
  findings: readonly ExchangeFinding[];
}

export interface ExchangeFinding {
  code: ResponseFinding['code'];
  /** The screen or the member of the response that the finding is about; `null` if its name may be content. */
  path: string | null;
  /** The declared type, for `wrong-type`. */
  expected: string | null;
}
