import { log } from '#shared/base/logger.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { loggableId } from './act.ts';
import type { UpstreamCalls } from './upstream-calls.ts';

/**
 * Accepts a call: `pre_accept`, so that the media connect, then `accept` with the same answer. Only the second decides.
 * The first is optional upstream, and it may be refused only because an earlier try, whose answer got lost, came that
 * far.
 */
export async function acceptCall(
  upstream: UpstreamCalls,
  phoneNumberId: string,
  callId: string,
  sdp: string,
): Promise<void> {
  try {
    await upstream.preAccept(phoneNumberId, callId, sdp);
  } catch (error) {
    if (!(error instanceof UpstreamError) || isFinal(error)) throw error;
    const { failure, code } = error;
    log('warn', 'call.pre-accept-failed', { call_id: loggableId(callId), failure, upstream_code: code });
  }
  await upstream.accept(phoneNumberId, callId, sdp);
}

/** Codes that can speak of the state that the call is in: Graph has no other for an action that comes twice. */
const ofParameters: ReadonlySet<number | undefined> = new Set([100, 131009]);

/**
 * Whether the same is to be expected of `accept`: what is said of the number, the contact or us, and no fault of the
 * moment.
 */
function isFinal({ failure, code, meaning }: UpstreamError): boolean {
  if (failure === 'refused') return meaning !== undefined && !ofParameters.has(code);
  return failure !== 'unavailable' && failure !== 'no-answer';
}
