import * as z from 'zod/mini';
import type { ContactId } from '../core/contacts.ts';
import type { Change } from '../events/events.ts';

const id = z.optional(z.string());

const valueSchema = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  calls: z._default(z.array(z.object({ event: id, direction: id, from: id, from_user_id: id })), []),
  statuses: z._default(z.array(z.object({ status: z.string(), recipient_id: id, recipient_user_id: id })), []),
});

interface Opener {
  readonly phone_number_id: string;
  readonly contact: ContactId;
}

/**
 * The contacts whose 24-hour window an event of a call opens: those who call, answered or not, and those who answer a
 * call of the business (Meta's page "Calling: pricing").
 */
export function windowOpeners({ field, value }: Change): Opener[] {
  const { success, data } = field === 'calls' ? z.safeParse(valueSchema, value) : { success: false };
  if (!success || data === undefined) return [];
  const callers = data.calls
    .filter(({ event, direction }) => direction === 'USER_INITIATED' && isStart(event))
    .map(({ from, from_user_id }) => from ?? from_user_id);
  const answering = data.statuses
    .filter(({ status }) => status === 'ACCEPTED')
    .map(({ recipient_id, recipient_user_id }) => recipient_id ?? recipient_user_id);
  const { phone_number_id } = data.metadata;
  return [...callers, ...answering].flatMap((contact) => (contact === undefined ? [] : [{ phone_number_id, contact }]));
}

function isStart(event: string | undefined): boolean {
  return event === 'connect' || event === 'call_created';
}
