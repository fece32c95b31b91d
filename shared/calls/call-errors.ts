import { createHash } from 'node:crypto';
import { log } from '#shared/base/logger.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { CallErrorMeaning } from '#shared/graph/graph-error.ts';
import { explainWith, type LoadExplain, textsOf } from '#shared/http/error-entry.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { FindingName } from './sdp-finding-texts.ts';

/** Names a call in the log. Its id contains the phone number of the contact, in base64. */
export function callReference(callId: string): string {
  return createHash('sha256').update(callId).digest('hex').slice(0, 16);
}

export interface CallRequest {
  action: 'connect' | 'accept' | 'reject' | 'terminate';
  number: PhoneNumber;
  user: string;
  /** Absent while the call is being started. */
  callId?: string;
  /** The findings of its SDP. An error about the SDP lists them as hints. */
  findings?: readonly FindingName[];
}

/** Performs an action on a call. Logs who requested it, and adds to an upstream error an explanation of what to do. */
export async function withCallErrors<T>(request: CallRequest, work: () => Promise<T>): Promise<T> {
  const { action, number, user, callId, findings = [] } = request;
  log('info', 'call.asked', {
    action,
    number: number.id,
    user,
    call: callId === undefined ? undefined : callReference(callId),
    sdp_findings: findings.join(','),
  });
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamError ? explain(error, request) : error;
  }
}

function explain(error: UpstreamError, { action, findings = [] }: CallRequest): UpstreamError {
  const meaning = (code: CallErrorMeaning | 'outcome-unknown') => ({ code: `call.${code}` }) as const;
  if (error.outcomeIsUnknown) return error.explained({ meaning: meaning('outcome-unknown') });
  if (rejectsSdp(error)) {
    return error.explained({
      meaning: meaning('sdp-rejected'),
      hints: findings.map((name) => ({ code: `sdp.${name}` })),
    });
  }
  return action !== 'connect' && rejectsCall(error) ? error.explained({ meaning: meaning('no-such-call') }) : error;
}

/** Returns whether the upstream rejects any wrong value with this code. Only its words say which value is wrong. */
export const mayConcernAnyValue = ({ meaning }: UpstreamError): boolean => meaning?.code === 'call.invalid-value';

const names = ({ message, details = '' }: UpstreamError, word: RegExp) => word.test(`${message} ${details}`);

/** The word, not the same letters inside the id of a call. */
const sdp = /(?<![a-z0-9])sdp(?![a-z0-9])|session description/i;

export function rejectsSdp(error: UpstreamError): boolean {
  return error.meaning?.code === 'call.sdp-rejected' || (mayConcernAnyValue(error) && names(error, sdp));
}

/** Returns whether the upstream rejects an action because of the call: it has no code for one that has ended. */
function rejectsCall(error: UpstreamError): boolean {
  return mayConcernAnyValue(error) && !rejectsSdp(error) && names(error, /\bcall(_id)?\b/i);
}

/** Explains upstream errors about calls. The explanation of an SDP finding starts with the finding's name. */
export const explainCallError: LoadExplain = async () => {
  const [{ callErrorTexts, outcomeUnknown }, { findingTexts }] = await Promise.all([
    import('#shared/calls/call-error-texts.ts'),
    import('#shared/calls/sdp-finding-texts.ts'),
  ]);
  const explain = explainWith({
    ...textsOf('call', { ...callErrorTexts, 'outcome-unknown': outcomeUnknown }),
    ...textsOf('sdp', findingTexts),
  });
  return (explanation, language) => {
    const { code } = explanation;
    const sentence = explain(explanation, language);
    return code.startsWith('sdp.') ? `${code.slice('sdp.'.length)}: ${sentence}` : sentence;
  };
};
