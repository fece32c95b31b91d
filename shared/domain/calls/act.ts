import { log } from '#shared/base/logger.ts';
import type { PhoneNumber } from '../accounts/number.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { FindingName } from './sdp-findings.ts';

/** What is asked of a call, and by whom. */
export interface CallRequest {
  action: 'connect' | 'accept' | 'reject' | 'terminate';
  number: PhoneNumber;
  user: string;
  /** A call that is being started has none yet. */
  callId?: string;
  /** What looks wrong with its SDP; an error that the upstream responds with names it too. */
  findings?: readonly FindingName[];
}

/** Has something done to a call: the log says who asked for it, and an error what people can do about it. */
export async function act<T>(request: CallRequest, work: () => Promise<T>): Promise<T> {
  const { action, number, user, callId, findings = [] } = request;
  log('info', 'call.asked', {
    action,
    number: number.id,
    user,
    call_id: loggableId(callId),
    sdp_findings: findings.join(','),
  });
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamError ? explain(error, findings) : error;
  }
}

function explain(error: UpstreamError, findings: readonly FindingName[]): UpstreamError {
  const meaning = error.failure === 'no-answer' ? ({ code: 'call.outcome-unknown' } as const) : error.meaning;
  return error.explained({ meaning, hints: findings.map((name) => ({ code: `sdp.${name}` })) });
}

/** The id as a log may hold it: what callers send in its place can be anything. */
export function loggableId(callId: string | undefined): string | undefined {
  return callId !== undefined && /^wacid\.[\w+/=.-]{1,200}$/.test(callId) ? callId : undefined;
}
