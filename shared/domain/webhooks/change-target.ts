import { isDeepStrictEqual } from 'node:util';
import { newForMs } from '../attempts/known-settings.ts';
import type { FieldError } from '../errors/field-error.ts';
import { invalidField, invalidFields } from '../errors/invalid-fields.ts';
import { ServiceError } from '../errors/service-error.ts';
import { eventNamesOf } from '../subscribers/event-names.ts';
import { existingSettings } from '../subscribers/existing-settings.ts';
import { headerFaults, headerNames, storedHeaders } from '../subscribers/receiver-headers.ts';
import type { Subscriber } from '../subscribers/subscriber.ts';
import type { Target, TargetRecord } from '../subscribers/target.ts';
import type { DeliverySettings, TargetStore } from '../subscribers/target-store.ts';

/** What a target gets. An absent member keeps its value; `null` stands for all events, or for no headers. */
export interface TargetChanges {
  events?: readonly string[] | null | undefined;
  /** A list of names, as responses show them, keeps the headers if it is theirs. */
  headers?: Readonly<Record<string, string>> | readonly string[] | null | undefined;
  /** The URL that the change is meant for. Without it, the change is for whichever URL the target has. */
  url?: string | undefined;
}

/** More tries than other requests and deliveries change one target meanwhile. */
const maxTries = 10;

export interface TargetContext {
  targets: Pick<TargetStore, 'read' | 'changeTarget'>;
  wait: (milliseconds: number) => Promise<unknown>;
}

/**
 * Changes which events a target gets and the headers that come with them. Headers belong to the origin of the target's
 * URL, so there must be one: a URL that is set later could be that of anybody's server. Another user can set another
 * URL at any time, so a request may say which one it means. A change that another one overtakes is made again. The
 * function returns when no message is new that saw the old headers. What was queued before still goes out: the target
 * wanted it when it came.
 */
export async function changeTarget(
  subscriber: Subscriber,
  target: Target,
  changes: TargetChanges,
  context: TargetContext,
): Promise<DeliverySettings> {
  const { events } = changes;
  const headers = isList(changes.headers) ? {} : (changes.headers ?? {});
  const faults = [...eventFaults(subscriber, target, events ?? []), ...headerFaults(headers)];
  if (faults.length > 0) throw invalidFields(faults);
  for (let tries = 0; tries < maxTries; tries++) {
    const settings = await existingSettings(subscriber, context.targets);
    const { url, version } = settings.targets[target];
    const headers = newHeaders(target, settings.targets[target], changes);
    if (events === undefined && headers === undefined) return settings;
    if (!(await context.targets.changeTarget(subscriber.id, target, { events, headers, version }))) continue;
    if (headers !== undefined && url !== undefined) await context.wait(newForMs);
    return existingSettings(subscriber, context.targets);
  }
  throw new Error('The target kept changing');
}

/** The headers to store: `null` for none, `undefined` if they stay. */
function newHeaders(target: Target, record: TargetRecord, { headers, url: meant }: TargetChanges) {
  const { url } = record;
  if (meant !== undefined && !isSameUrl(meant, url)) throw new ServiceError('target.other-url', { values: { target } });
  if (!isList(headers)) return headers && headersAt(target, url, headers);
  if (!areNamesOf(record, headers)) throw invalidField('headers', 'headers_by_name');
  return undefined;
}

// `Array.isArray` does not narrow a type to a list that is read-only.
const isList = (headers: TargetChanges['headers']): headers is readonly string[] => Array.isArray(headers);

/** Whether a list has the names of the target's headers, and nothing else. Case and order mean nothing in headers. */
function areNamesOf(record: TargetRecord, list: readonly string[]): boolean {
  return isDeepStrictEqual(list.map((name) => name.toLowerCase()).toSorted(), headerNames(record).toSorted());
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

/** A name that no event has would keep everything from the target. */
function eventFaults(subscriber: Subscriber, target: Target, events: readonly string[]): FieldError[] {
  const { pattern, examples } = eventNamesOf(subscriber, target);
  return events.flatMap((name, index): FieldError[] =>
    pattern.test(name)
      ? []
      : [{ field: `events.${index}`, rule: 'event_name', values: { examples: examples.join(', ') } }],
  );
}
