import type { Subscriber, Target } from '../accounts/subscriber.ts';
import type { FieldError } from '../errors/field-error.ts';
import { invalidField, invalidFields } from '../errors/invalid-fields.ts';
import { ServiceError } from '../errors/service-error.ts';
import { knownLists } from './event-names.ts';
import { existingSettings } from './existing-settings.ts';
import { newForMs } from './known-settings.ts';
import { headerFaults, storedHeaders } from './receiver-headers.ts';
import type { DeliverySettings, TargetStore } from './target-store.ts';

/** What a target gets. An absent member keeps its value; `null` stands for all events, or for no headers. */
export interface TargetChanges {
  events?: readonly string[] | null | undefined;
  headers?: Readonly<Record<string, string>> | null | undefined;
  /** The URL that the change is meant for. Without it, the change is for whichever URL the target has. */
  url?: string | undefined;
}

export interface TargetContext {
  targets: Pick<TargetStore, 'read' | 'changeTarget'>;
  wait: (milliseconds: number) => Promise<unknown>;
}

/**
 * Changes which events a target gets and the headers that come with them. Headers belong to the origin of the target's
 * URL, so there must be one: a URL that is set later could be that of anybody's server. Another user can set another URL at
 * any time, so a request may say which one it means. The function returns when no message
 * is new that saw the old headers. What was queued before still goes out: the target wanted it when it came.
 */
export async function changeTarget(
  subscriber: Subscriber,
  target: Target,
  { events, headers, url: meant }: TargetChanges,
  { targets, wait }: TargetContext,
): Promise<DeliverySettings> {
  const faults = [...eventFaults(subscriber, target, events ?? []), ...headerFaults(headers ?? {})];
  if (faults.length > 0) throw invalidFields(faults);
  const settings = await existingSettings(subscriber, targets);
  const url = settings.subscriber[target];
  if (meant !== undefined && !isSameUrl(meant, url)) throw new ServiceError('target.other-url', { values: { target } });
  if (events === undefined && headers === undefined) return settings;
  const changes = { events, headers: headers && headersAt(target, url, headers) };
  if (!(await targets.changeTarget(subscriber, target, changes))) throw new ServiceError('number.not-found');
  if (headers !== undefined && url !== undefined) await wait(newForMs);
  return existingSettings(subscriber, targets);
}

/** URLs are the same if they lead to the same place, however they are written. */
function isSameUrl(one: string, other: string | undefined): boolean {
  return one === other || (other !== undefined && URL.parse(one)?.href === URL.parse(other)?.href);
}

function headersAt(target: Target, url: string | undefined, headers: Readonly<Record<string, string>>) {
  if (Object.keys(headers).length === 0) return null;
  if (url === undefined) throw invalidField(target, 'url_not_set');
  return storedHeaders(headers, url);
}

/** A misspelt name would keep everything from a number's target, so its beginning must be known. */
function eventFaults(subscriber: Subscriber, target: Target, events: readonly string[]): FieldError[] {
  const lists = knownLists(subscriber, target);
  if (lists === undefined) return [];
  return events.flatMap((name, index): FieldError[] =>
    lists.includes(name.split('.', 1)[0] ?? '')
      ? []
      : [{ field: `events.${index}`, rule: 'selected', values: { values: lists.join(', ') } }],
  );
}
