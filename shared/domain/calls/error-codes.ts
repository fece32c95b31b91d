import { type KnownCode, knownErrors } from '../errors/known-codes.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';

/** What can be wrong with a request for the permission to call, which is a message but follows the rules of calls. */
export type PermissionRequestMeaning = 'calling-disabled' | 'permission-requests-used-up' | 'permission-is-permanent';

/**
 * Codes with which the upstream rejects or ends calls (Meta, "Troubleshoot WhatsApp Calling Errors"). Those that say that
 * the number cannot call are as forbidden as calls of a number for which calling is off here.
 */
export const callErrorCodes = [
  { code: 4, subcode: 2390008, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
  { code: 100, failure: 'rejected', meaning: 'invalid-value' },
  { code: 613, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
  { code: 131009, failure: 'rejected', meaning: 'invalid-value' },
  { code: 131030, failure: 'rejected', meaning: 'test-number' },
  { code: 131044, failure: 'rejected', meaning: 'no-payment-method' },
  { code: 131055, failure: 'rejected', meaning: 'sip-enabled' },
  { code: 133010, failure: 'forbidden', meaning: 'number-not-registered' },
  { code: 138000, failure: 'forbidden', meaning: 'calling-disabled' },
  { code: 138001, failure: 'rejected', meaning: 'contact-not-callable' },
  { code: 138002, failure: 'rate-limited', meaning: 'too-many-calls-at-once' },
  { code: 138003, failure: 'rejected', meaning: 'already-in-call' },
  { code: 138004, failure: 'unavailable', meaning: 'connection-failed' },
  { code: 138005, failure: 'rate-limited', meaning: 'calls-started-too-fast' },
  { code: 138006, failure: 'rejected', meaning: 'no-permission' },
  { code: 138007, failure: 'unavailable', meaning: 'connection-timeout' },
  { code: 138008, failure: 'rejected', meaning: 'sdp-rejected' },
  { code: 138009, failure: 'rejected', meaning: 'permission-requests-used-up' },
  { code: 138012, failure: 'rejected', meaning: 'calls-used-up' },
  { code: 138013, onlyIfRateLimited: true, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
  { code: 138013, failure: 'rejected', meaning: 'country-not-supported' },
  { code: 138014, failure: 'forbidden', meaning: 'calling-suspended' },
  { code: 138015, failure: 'forbidden', meaning: 'calling-cannot-be-enabled' },
  { code: 138017, failure: 'rejected', meaning: 'permission-is-permanent' },
  { code: 138018, failure: 'forbidden', meaning: 'calling-cannot-be-enabled' },
  { code: 138019, failure: 'rejected', onlyInEvents: true, meaning: 'setup-failed' },
  { code: 138020, failure: 'rejected', onlyInEvents: true, meaning: 'audio-relay-failed' },
  { code: 138021, failure: 'rejected', onlyInEvents: true, meaning: 'no-audio-received' },
  { code: 138022, failure: 'rejected', onlyInEvents: true, meaning: 'no-audio-sent' },
  { code: 138023, failure: 'rejected', onlyInEvents: true, meaning: 'audio-never-connected' },
] as const satisfies readonly KnownCode[];

/** The meanings of the codes, and one that has no code; `shared/http/calls` has the texts. */
export type CallErrorMeaning = (typeof callErrorCodes)[number]['meaning'] | 'no-such-call';

/** Looks up what an error of the upstream's Calling API means. */
export const knownCallError = /* @__PURE__ */ knownErrors('call', callErrorCodes);

/** Codes for any wrong value. Only the upstream's words say which value is wrong. */
const codesOfAnyValue: ReadonlySet<number | undefined> = new Set([100, 131009]);

export const mayConcernAnyValue = ({ code }: UpstreamError): boolean => codesOfAnyValue.has(code);

const names = ({ message, details = '' }: UpstreamError, word: RegExp) => word.test(`${message} ${details}`);

/** The word, not the same letters inside the id of a call. */
const sdp = /(?<![a-z0-9])sdp(?![a-z0-9])|session description/i;

/** Whether the upstream rejects the SDP of a request. */
export function rejectsSdp(error: UpstreamError): boolean {
  return error.code === 138008 || (mayConcernAnyValue(error) && names(error, sdp));
}

/** Whether the upstream rejects an action because of the call: it has no code for one that has ended. */
export function rejectsCall(error: UpstreamError): boolean {
  return mayConcernAnyValue(error) && !rejectsSdp(error) && names(error, /\bcall(_id)?\b/i);
}
