import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '#shared/base/field-error.ts';
import { invalidField, invalidFields, ServiceError } from '#shared/base/service-error.ts';
import type { UrlFault } from '#shared/egress/url-rules.ts';
import { eventNamesOf } from '#shared/webhooks/event-names.ts';
import { headerFaults, headerNames, storedHeaders } from '#shared/webhooks/receiver-headers.ts';
import {
  type DeliverySettings,
  existingSettings,
  type Subscriber,
  subscriberNotFound,
  type Target,
  type TargetRecord,
  targets,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { resetBreaker } from './drain.ts';

/** What a target gets. An absent member keeps its value; `null` stands for all events, or for no headers. */
export interface TargetChanges {
  events?: readonly string[] | null | undefined;
  /** A list of names, as responses show them, keeps the headers if it is theirs. */
  headers?: Readonly<Record<string, string>> | readonly string[] | null | undefined;
  /** The URL that the change is meant for. Without it, the change is for whichever URL the target has. */
  url?: string | undefined;
}

/** More tries than other requests change one target meanwhile. */
const maxTries = 10;

export interface TargetContext {
  targets: Pick<TargetStore, 'read' | 'changeTarget'>;
}

/**
 * Changes which events a target gets and the headers that come with them. Headers belong to the origin of the target's
 * URL, so there must be one: a URL that is set later could be that of anybody's server. Another user can set another
 * URL at any time, so a request may say which one it means. A change that another one overtakes is made again. What
 * was queued before still goes out: the target wanted it when it came.
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
    const { version } = settings.targets[target];
    const headers = newHeaders(target, settings.targets[target], changes);
    if (events === undefined && headers === undefined) return settings;
    if (!(await context.targets.changeTarget(subscriber.id, target, { events, headers, version }))) continue;
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

/** An absent member keeps its URL, `null` removes it. */
export type WebhookChanges = Partial<Record<Target, string | null | undefined>>;

export interface ChangeContext extends Pick<DeliveryContext, 'targets' | 'breakers' | 'queue' | 'now'> {
  checkUrl: (url: string) => Promise<UrlFault | undefined>;
}

/**
 * Changes URLs of a subscriber. The breaker of a target whose URL changes closes, and held deliveries go to the new
 * URL, or are discarded when there is none.
 */
export async function changeWebhooks(
  subscriber: Subscriber,
  changes: WebhookChanges,
  context: ChangeContext,
): Promise<DeliverySettings> {
  const asked = targets.flatMap((target) => {
    const url = changes[target];
    return url === undefined ? [] : [{ target, url }];
  });
  await rejectUnsafe(asked, context);
  const before = await existingSettings(subscriber, context.targets);
  if (asked.length === 0) return before;

  const urls = Object.fromEntries(asked.map(({ target, url }) => [target, url]));
  if (!(await context.targets.setUrls(subscriber.id, urls))) throw subscriberNotFound(subscriber);
  // Read after the change: a breaker may have opened meanwhile.
  const after = await existingSettings(subscriber, context.targets);
  const moved = targets.filter((target) => after.targets[target].url !== before.targets[target].url);
  for (const target of moved) await resetBreaker(subscriber.id, target, after.targets[target].breaker, context);
  return after;
}

async function rejectUnsafe(
  asked: readonly { target: Target; url: string | null }[],
  { checkUrl }: ChangeContext,
): Promise<void> {
  const faults = await Promise.all(
    asked.map(async ({ target, url }) => {
      const fault = url === null ? undefined : await checkUrl(url);
      return fault ? [{ field: target, rule: `url_${fault}` as const, values: {} }] : [];
    }),
  );
  if (faults.flat().length > 0) throw invalidFields(faults.flat());
}
