import { log } from '#shared/base/log/logger.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { PhoneNumber } from '../subscribers/number.ts';
import { callReference } from './call-reference.ts';
import { type CallErrorMeaning, rejectsCall, rejectsSdp } from './error-codes.ts';
import type { FindingName } from './sdp-findings.ts';

/** An action on a call, and the user who requested it. */
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
