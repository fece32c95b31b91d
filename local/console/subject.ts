import { shorten } from '#shared/base/text.ts';

/** What is in the envelope of a notification in Meta's format; any other one as it is. */
export function contentOf(notification: unknown): unknown {
  const { entry } = Object(notification) as { entry?: readonly { changes?: readonly MetaContent[] }[] };
  const { field, value } = entry?.[0]?.changes?.[0] ?? {};
  return value === undefined ? notification : { ...Object(value), field };
}

interface MetaContent {
  readonly field?: string;
  readonly value?: unknown;
}

/** What a notification, or the value of an event, is about: the type of a message, the name of a status or a call event. */
export function subjectOf(value: unknown, kind: string): string {
  const { messages, statuses, calls, field, type } = Object(value) as Record<string, unknown>;
  const [first] = [messages, statuses, calls].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const { type: messageType, status, event } = Object(first) as Record<string, unknown>;
  // The status of a call has a type as well, which says nothing.
  const name = status ?? messageType ?? event ?? field ?? type;
  return typeof name === 'string' && name !== kind ? `${kind} · ${name}` : kind;
}

const shownCharacters = 40;

/** Who and what tells a notification from its neighbours: the contact, and the beginning of a text or the end of an id. */
export function aboutOf(value: unknown): string {
  const { messages, statuses, calls } = Object(value) as Record<string, unknown>;
  const [first] = [messages, statuses, calls].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const { from, from_user_id, recipient_id, recipient_user_id, text, id } = Object(first) as Record<string, unknown>;
  const who = [from, from_user_id, recipient_id, recipient_user_id].find((one) => typeof one === 'string');
  const { body } = Object(text) as Record<string, unknown>;
  const words = typeof body === 'string' ? `"${shorten(body, shownCharacters)}"` : undefined;
  const what = words ?? (typeof id === 'string' ? `…${id.slice(-6)}` : undefined);
  return [who, what].filter((part) => part !== undefined).join(' · ');
}
