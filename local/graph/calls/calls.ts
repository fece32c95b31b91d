import { randomBytes } from 'node:crypto';
import type { ContactId } from '../core/contacts.ts';
import type { Chat } from '../core/platform.ts';
import { GraphError } from '../http/graph-errors.ts';

export interface Call extends Chat {
  readonly id: string;
  readonly direction: 'BUSINESS_INITIATED' | 'USER_INITIATED';
  readonly state: 'RINGING' | 'PRE_ACCEPTED' | 'CONNECTED' | 'ENDED';
  /** The caller's SDP. */
  readonly offer: string;
  /** The callee's SDP. */
  readonly answer: string | null;
  readonly biz_opaque_callback_data: string | null;
  /** What the business asked to keep of the call. */
  readonly recording: KeptRecord | null;
  readonly transcription: KeptRecord | null;
  /** All times are milliseconds since the epoch. */
  readonly started_at: number;
  readonly connected_at: number | null;
  readonly ended_at: number | null;
  readonly ended_by: CallEnd | null;
}

/** What the parties hear at the start of a call that is recorded or transcribed. */
export interface KeptRecord {
  readonly purpose: string;
  readonly announcement_language: string | null;
}

/** `hang_up`: one of the parties ended it. `no_answer`: it rang too long. */
export type CallEnd = 'hang_up' | 'rejection' | 'no_answer';

export type NewCall = Pick<Call, 'phone_number_id' | 'contact' | 'direction' | 'offer' | 'biz_opaque_callback_data'> &
  Partial<Pick<Call, 'recording' | 'transcription'>>;

/** The platform's ids contain the contact, so a logged id reveals a phone number. */
function newCallId(contact: ContactId): string {
  return `wacid.${Buffer.concat([Buffer.from(contact), randomBytes(16)]).toString('base64url')}`;
}

export function ringing(call: NewCall, now: number): Call {
  const id = newCallId(call.contact);
  const open = {
    recording: null,
    transcription: null,
    ...call,
    answer: null,
    connected_at: null,
    ended_at: null,
    ended_by: null,
  };
  return { id, ...open, state: 'RINGING', started_at: now };
}

/** The business prepares its answer to a user's call. */
export function preAccepted(call: Call, answer: string): Call {
  assertIn(call, 'USER_INITIATED', ['RINGING']);
  return { ...call, state: 'PRE_ACCEPTED', answer };
}

/** The business accepts a user's call. After `preAccepted`, the answer must be the same. */
export function accepted(call: Call, answer: string, now: number): Call {
  assertIn(call, 'USER_INITIATED', ['RINGING', 'PRE_ACCEPTED']);
  if (call.answer !== null && call.answer !== answer) {
    throw new GraphError('message_parameter_invalid', 'session.sdp has to be the SDP that pre_accept had.');
  }
  return { ...call, state: 'CONNECTED', answer, connected_at: now };
}

/** The user accepts the business's call. */
export function answered(call: Call, answer: string, now: number): Call {
  assertIn(call, 'BUSINESS_INITIATED', ['RINGING']);
  return { ...call, state: 'CONNECTED', answer, connected_at: now };
}

/** The callee rejects the call. */
export function rejected(call: Call, by: 'business' | 'user', now: number): Call {
  assertIn(call, by === 'business' ? 'USER_INITIATED' : 'BUSINESS_INITIATED', ['RINGING', 'PRE_ACCEPTED']);
  return ended(call, 'rejection', now);
}

export function unanswered(call: Call, now: number): Call {
  assertIn(call, call.direction, ['RINGING', 'PRE_ACCEPTED']);
  return ended(call, 'no_answer', now);
}

export function ended(call: Call, by: CallEnd, now: number): Call {
  assertIn(call, call.direction, ['RINGING', 'PRE_ACCEPTED', 'CONNECTED']);
  return { ...call, state: 'ENDED', ended_at: now, ended_by: by };
}

export function isLive({ state }: Call): boolean {
  return state !== 'ENDED';
}

export function isRinging({ state }: Call): boolean {
  return state === 'RINGING' || state === 'PRE_ACCEPTED';
}

/** A contact called, and the business did not answer. */
export function isMissed({ direction, state, connected_at }: Call): boolean {
  return direction === 'USER_INITIATED' && state === 'ENDED' && connected_at === null;
}

function assertIn(call: Call, direction: Call['direction'], states: readonly Call['state'][]): void {
  if (call.direction !== direction) {
    throw new GraphError('call_state_invalid', `The action is not possible: the call is ${call.direction}.`);
  }
  if (!states.includes(call.state)) {
    throw new GraphError('call_state_invalid', `The action is not possible: the call is ${call.state}.`);
  }
}

export type SdpType = 'offer' | 'answer';

const neededLines: readonly (readonly [RegExp, string])[] = [
  [/^m=audio [1-9]/m, 'no audio section (m=audio)'],
  [/^a=ice-ufrag:./m, 'no ICE credentials (a=ice-ufrag)'],
  [/^a=ice-pwd:./m, 'no ICE credentials (a=ice-pwd)'],
  [/^a=fingerprint:sha-256 ./im, 'no fingerprint of sha-256 (a=fingerprint:sha-256)'],
];

/** A quick check of an SDP: what makes a call impossible, or undefined if nothing obvious does. */
export function sdpFault(sdp: string, type: SdpType): string | undefined {
  if (!/^v=0\r?\n/.test(sdp)) return 'it is not SDP (its first line is not v=0)';
  if (type === 'answer' && /^a=setup:actpass\s*$/m.test(sdp)) return 'it is an offer (a=setup:actpass)';
  return neededLines.find(([pattern]) => !pattern.test(sdp))?.[1];
}
