/** What a notification, or the value of an event, is about: the type of a message, the name of a status or a call event. */
export function subjectOf(value: unknown, kind: string): string {
  const { messages, statuses, calls, field, type } = Object(value) as Record<string, unknown>;
  const [first] = [messages, statuses, calls].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const { type: messageType, status, event } = Object(first) as Record<string, unknown>;
  const name = messageType ?? status ?? event ?? field ?? type;
  return typeof name === 'string' && name !== kind ? `${kind} · ${name}` : kind;
}
