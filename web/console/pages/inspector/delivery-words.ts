import type { ShownDelivery } from '#local/console/console-values.ts';
import { parseJson } from '#shared/base/json.ts';
import type { Snapshot } from '../../snapshot.ts';
import { listOf, type Members, members, textOf } from '../phone/message/read-content.ts';
import { summaryOf } from '../phone/message/summary.ts';
import { personName, subscriberName } from '../phone/names.ts';

/** The bodies that have been parsed: the list is drawn whenever anything happens. */
const parsed = new WeakMap<ShownDelivery, Members>();

function bodyOf(delivery: ShownDelivery): Members {
  const body = parsed.get(delivery) ?? contentOf(members(parseJson(delivery.body ?? '')));
  parsed.set(delivery, body);
  return body;
}

/** In Meta's format, the content is in an envelope. */
function contentOf(body: Members): Members {
  const [change] = listOf(body.entry).flatMap(({ changes }) => listOf(changes));
  return change === undefined ? body : members(change.value);
}

const contactKeys = ['from', 'from_user_id', 'recipient_id', 'recipient_user_id', 'to', 'to_user_id'];

/** Who and what a delivery is about, as people would say it. */
export function wordsOf(delivery: ShownDelivery, snapshot: Snapshot): { readonly who: string; readonly what: string } {
  const { messages, statuses, calls, data } = bodyOf(delivery);
  const [first = {}] = [messages, statuses, calls].flatMap(listOf);
  // The business is the sender of its calls.
  const own = snapshot.world.numbers.map(({ display_phone_number }) => display_phone_number.replace(/\D/g, ''));
  const contact = contactKeys.map((key) => textOf(first[key])).find((id) => id !== '' && !own.includes(id));
  if (contact !== undefined) return { who: personName(contact, snapshot), what: whatOf(first, delivery, snapshot) };
  // An event of the service can be about a target of a number.
  const { number, target } = members(data);
  const who = number === undefined ? '' : subscriberName(textOf(number), snapshot.world);
  return { who: `${who} ${textOf(target)}`.trim(), what: whatOf(first, delivery, snapshot) };
}

function whatOf({ type, status, id, ...content }: Members, { subject }: ShownDelivery, snapshot: Snapshot): string {
  if (subject.startsWith('message') && typeof type === 'string') return quoted(type, content[type]);
  if (subject.startsWith('status') && typeof status === 'string') {
    const message = snapshot.messages.get(textOf(id));
    const about = message ? quoted(message.type, message.content) : `…${textOf(id).slice(-6)}`;
    return `${status} → ${about}`;
  }
  return subject.replace(/^service · /, '');
}

/** Words in quotes, or else what the message is. */
function quoted(type: string, content: unknown): string {
  const summary = summaryOf(type, content);
  return type === 'text' ? `“${summary}”` : summary;
}
