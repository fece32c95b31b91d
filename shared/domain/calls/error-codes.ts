import type { KnownErrors, UpstreamFailure } from '../errors/upstream-error.ts';

/** The meanings of the codes; `shared/http/calls` has the texts. */
export type CallErrorMeaning =
  | 'permission-lookups-too-frequent'
  | 'invalid-value'
  | 'calling-cannot-be-enabled'
  | 'test-number'
  | 'no-payment-method'
  | 'sip-enabled'
  | 'calling-disabled'
  | 'contact-not-callable'
  | 'too-many-calls-at-once'
  | 'already-in-call'
  | 'connection-failed'
  | 'calls-started-too-fast'
  | 'no-permission'
  | 'connection-timeout'
  | 'permission-requests-used-up'
  | 'calls-used-up'
  | 'country-not-supported'
  | 'calling-suspended'
  | 'permission-is-permanent'
  | 'setup-failed'
  | 'audio-relay-failed'
  | 'no-audio-received'
  | 'no-audio-sent'
  | 'audio-never-connected';

/** A code with which the upstream refuses or ends calls (Meta, "Troubleshoot WhatsApp Calling Errors"). */
export interface CallError {
  readonly code: number;
  readonly failure: UpstreamFailure;
  readonly meaning: CallErrorMeaning;
  readonly subcode?: number;
  /** Set only where the meaning of the code depends on the HTTP status. */
  readonly httpStatus?: number;
  /** The upstream sends the code in the `errors` of events, never in a response. */
  readonly onlyInEvents?: true;
}

export const callErrors: readonly CallError[] = [
  { code: 4, subcode: 2390008, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
  { code: 100, failure: 'refused', meaning: 'invalid-value' },
  { code: 613, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
  { code: 131009, failure: 'refused', meaning: 'invalid-value' },
  { code: 131030, failure: 'refused', meaning: 'test-number' },
  { code: 131044, failure: 'refused', meaning: 'no-payment-method' },
  { code: 131055, failure: 'refused', meaning: 'sip-enabled' },
  { code: 138000, failure: 'refused', meaning: 'calling-disabled' },
  { code: 138001, failure: 'refused', meaning: 'contact-not-callable' },
  { code: 138002, failure: 'rate-limited', meaning: 'too-many-calls-at-once' },
  { code: 138003, failure: 'refused', meaning: 'already-in-call' },
  { code: 138004, failure: 'unavailable', meaning: 'connection-failed' },
  { code: 138005, failure: 'rate-limited', meaning: 'calls-started-too-fast' },
  { code: 138006, failure: 'refused', meaning: 'no-permission' },
  { code: 138007, failure: 'unavailable', meaning: 'connection-timeout' },
  { code: 138009, failure: 'refused', meaning: 'permission-requests-used-up' },
  { code: 138012, failure: 'refused', meaning: 'calls-used-up' },
  { code: 138013, httpStatus: 429, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
  { code: 138013, failure: 'refused', meaning: 'country-not-supported' },
  { code: 138014, failure: 'refused', meaning: 'calling-suspended' },
  { code: 138015, failure: 'refused', meaning: 'calling-cannot-be-enabled' },
  { code: 138017, failure: 'refused', meaning: 'permission-is-permanent' },
  { code: 138018, failure: 'refused', meaning: 'calling-cannot-be-enabled' },
  { code: 138019, failure: 'refused', onlyInEvents: true, meaning: 'setup-failed' },
  { code: 138020, failure: 'refused', onlyInEvents: true, meaning: 'audio-relay-failed' },
  { code: 138021, failure: 'refused', onlyInEvents: true, meaning: 'no-audio-received' },
  { code: 138022, failure: 'refused', onlyInEvents: true, meaning: 'no-audio-sent' },
  { code: 138023, failure: 'refused', onlyInEvents: true, meaning: 'audio-never-connected' },
];

/** Looks up what an error of the upstream's Calling API means. */
export const knownCallError: KnownErrors = ({ status, code, subcode }) => {
  const known = callErrors.find(
    (error) => error.code === code && (error.subcode ?? subcode) === subcode && (error.httpStatus ?? status) === status,
  );
  return known && { failure: known.failure, meaning: { code: `call.${known.meaning}` } };
};
