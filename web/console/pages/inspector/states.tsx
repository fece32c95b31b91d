import type { ShownDelivery } from '#local/console/shown-delivery.ts';
import { Badge, type Tone } from '../../parts/text.tsx';

const tones: Readonly<Record<ShownDelivery['state'], Tone>> = {
  sending: 'plain',
  delivered: 'good',
  waiting: 'warn',
  held: 'warn',
  exhausted: 'bad',
  discarded: 'bad',
};

export const StateBadge = ({ state }: { state: ShownDelivery['state'] }) => <Badge tone={tones[state]}>{state}</Badge>;

/** What came of an attempt, in a word or two. */
export function outcomeOf({ status, error }: ShownDelivery['attempts'][number]): string {
  return status === null ? (error ?? 'no response') : String(status);
}

/** What a notification is about: the type of a message, the name of a status or a call event, a field. */
export function subjectOf({ kind, body }: ShownDelivery): string {
  const { messages, statuses, calls, field, type } = parsed(body);
  const [first] = [messages, statuses, calls].flatMap((list) => (Array.isArray(list) ? list : []));
  const name = first?.type ?? first?.status ?? first?.event ?? field ?? type;
  return typeof name === 'string' && name !== kind ? `${kind} · ${name}` : kind;
}

function parsed(body: string | null): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body ?? ''));
  } catch {
    return {};
  }
}
