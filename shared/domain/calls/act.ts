import { UpstreamError } from '#shared/adapters/graph/graph-error.ts';
import { log } from '#shared/base/logger.ts';
import type { FindingName } from '#shared/http/calls/sdp-finding-texts.ts';
import { callTexts } from '#shared/http/calls/texts.ts';
import type { Text } from '#shared/http/language/language.ts';
import type { PhoneNumber } from '../accounts/number.ts';

/** What is asked of a call, and by whom. */
export interface CallRequest {
  action: 'connect' | 'accept' | 'reject' | 'terminate';
  number: PhoneNumber;
  user: string;
  /** A call that is being started has none yet. */
  callId?: string;
  /** About the SDP that goes along. */
  findings?: readonly FindingName[];
  /** What a refusal says of them. */
  hints?: readonly Text[];
}

/** Has something done to a call: the log says who asked for it, and an error what people can do about it. */
export async function act<T>(request: CallRequest, work: () => Promise<T>): Promise<T> {
  const { action, number, user, callId, findings = [], hints = [] } = request;
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
    throw error instanceof UpstreamError ? explain(error, hints) : error;
  }
}

function explain(error: UpstreamError, hints: readonly Text[]): UpstreamError {
  const meaning = error.failure === 'no-answer' ? callTexts.outcomeUnknown : error.meaning;
  return error.explained({ meaning, hints });
}

/** The id as a log may hold it: what callers send in its place can be anything. */
export function loggableId(callId: string | undefined): string | undefined {
  return callId !== undefined && /^wacid\.[\w+/=.-]{1,200}$/.test(callId) ? callId : undefined;
}
