import type { BusinessNumber } from '../core/accounts.ts';
import { type ContactMember, recipientIds, senderIds } from '../core/contacts.ts';
import type { Change } from '../core/platform.ts';
import { seconds } from '../events/events.ts';
import type { Call } from './calls.ts';

/** The webhooks of a call. Source: Meta's pages "Business-initiated calls" and "User-initiated calls". */

/** The parties of a call: a number, and a contact as webhooks show people. */
export interface Parties {
  readonly number: BusinessNumber;
  readonly contact: ContactMember;
}

/** An SDP for the business: the offer of a user who calls, or the answer of a user who was called. */
export function connectEvent(call: Call, between: Parties): Change {
  const { number, contact } = between;
  const timestamp = seconds(call.connected_at ?? call.started_at);
  const members = { ...parties(call, between), event: 'connect', timestamp, direction: call.direction };
  if (call.direction === 'BUSINESS_INITIATED') {
    const sdp = call.answer;
    const session = { connection: { webrtc: { sdp } }, session: { sdp_type: 'answer', sdp } };
    return change(number, { calls: [{ ...members, ...session, ...callbackData(call) }] });
  }
  const session = { sdp_type: 'offer', sdp: call.offer };
  return change(number, { contacts: [contact], calls: [{ ...members, session }] });
}

/** A new status of a call by the business. */
export function callStatus(
  call: Call,
  status: 'RINGING' | 'ACCEPTED' | 'REJECTED',
  { number, contact }: Parties,
  now: number,
): Change {
  const members = { id: call.id, timestamp: seconds(now), type: 'call', status, ...recipientIds(contact) };
  return change(number, { statuses: [{ ...members, ...callbackData(call) }] });
}

/** A call has ended. It has times only if it was accepted. */
export function terminateEvent(call: Call, between: Parties): Change {
  const { direction, connected_at: start, ended_at: end } = call;
  const times =
    start === null || end === null
      ? {}
      : {
          start_time: seconds(start),
          end_time: seconds(end),
          duration: Math.floor(end / 1000) - Math.floor(start / 1000),
        };
  const terminated = {
    ...parties(call, between),
    event: 'terminate',
    timestamp: seconds(end ?? call.started_at),
    direction,
    status: 'COMPLETED',
    ...times,
    ...callbackData(call),
  };
  return change(between.number, { calls: [terminated] });
}

export function change({ wabaId, phoneNumberId, phoneNumber }: BusinessNumber, members: object): Change {
  const metadata = { display_phone_number: phoneNumber, phone_number_id: phoneNumberId };
  return { entryId: wabaId, field: 'calls', value: { messaging_product: 'whatsapp', metadata, ...members } };
}

function parties({ id, direction }: Call, { number, contact }: Parties) {
  const business = number.phoneNumber;
  if (direction === 'USER_INITIATED') return { id, ...senderIds(contact), to: business };
  const { wa_id: to, user_id: to_user_id, parent_user_id: to_parent_user_id } = contact;
  return { id, from: business, to, to_user_id, to_parent_user_id };
}

function callbackData({ biz_opaque_callback_data }: Call) {
  return biz_opaque_callback_data === null ? {} : { biz_opaque_callback_data };
}
