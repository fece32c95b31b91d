import type { DeliverySettings } from '../subscribers/target-store.ts';
import { type Change, type FieldEvent, type IgnoredEvent, readField, type UpstreamEvent } from './events.ts';

/**
 * The events for the workspaces: fields that belong to no number, the unreadable parts of a number's change, and the
 * whole change, once, if its number is unknown here. Events of a number that is switched off are not sent.
 */
export function workspaceFields(
  events: readonly UpstreamEvent[],
  numbers: ReadonlyMap<string, DeliverySettings | undefined>,
): (FieldEvent | IgnoredEvent)[] {
  const fields: FieldEvent[] = [];
  const unknown = new Set<Change>();
  for (const event of events) {
    const origin = originOf(event);
    const number = origin && numbers.get(origin.phoneNumberId);
    if (origin && !number) unknown.add(origin.change);
    else if (event.kind === 'field' && number?.subscriber.active !== false) fields.push(event);
  }
  return [...fields, ...[...unknown].map((change) => readField(change))];
}

/** The change of a number that an event comes from; `undefined` if it concerns no number. */
export function originOf(event: UpstreamEvent): { phoneNumberId: string; change: Change } | undefined {
  if ('notification' in event) return event;
  return event.kind === 'field' ? event.unreadOf : undefined;
}
