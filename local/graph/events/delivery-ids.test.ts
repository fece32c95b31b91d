import { describe, expect, it } from 'vitest';
import { isObject } from '#shared/base/json.ts';
import { dayMs, minuteMs } from '#shared/base/time.ts';
import { deliveryId } from '#shared/delivery/delivery.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import type { Change } from '../core/platform.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { buildEvent, type EventRequest, eventTypes, samplesByKind } from './events.ts';

const sentAt = Date.UTC(2026, 10, 20, 12, 9, 59, 500);
const origin = { wabaId: '100000000000001', phoneNumberId: '200000000000001', phoneNumber: '15550100001' };

const anyField = { field: 'holograms', value: { projected: [1, { timestamp: '1795000000' }] } };
const requests = eventTypes
  .map((type): EventRequest => (type === 'field' ? { type, ...anyField } : { type }))
  .map((request) => ({ request, name: request.type, change: buildEvent(request, origin, sentAt) }));

/** Only the entry can say when an error happened. Meta's examples have no time there. */
const hasNoTime = (name: string) => name === 'error' || name === 'history_declined';

/** What the platform sends for some events. */
function bodyOf(...changes: Change[]): Envelope {
  const { entry, ...body } = envelopeOf(changes, sentAt);
  return { ...body, entry: entry.map((one) => ({ time: Math.floor(sentAt / 1000), ...one })) };
}

/** What staff write elsewhere goes to a workspace, and to targets of the number. */
const copiesOf = (name: string) => (name.endsWith('message_echoes') ? 2 : 1);

const untimed = (...changes: Change[]) => envelopeOf(changes, sentAt);

/** The ids that the events of a body get. */
function idsOf(body: unknown, receivedAt = sentAt): string[] {
  return splitEvents(JSON.parse(JSON.stringify(body)), receivedAt).flatMap((event) => {
    if (!('key' in event)) return [];
    const subscriber = 'notification' in event ? event.phoneNumberId : event.wabaIds.join(' ');
    return [deliveryId({ subscriber, target: 'webhook', ...event })];
  });
}

/** A value with each of its parts replaced, from the inside. */
function rewritten(value: unknown, rewrite: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return rewrite(value.map((item) => rewritten(item, rewrite)));
  if (!isObject(value)) return rewrite(value);
  return rewrite(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rewritten(part, rewrite)])));
}

const inOtherOrder = (part: unknown) => (isObject(part) ? Object.fromEntries(Object.entries(part).toReversed()) : part);
const withTexts = (part: unknown) => (typeof part === 'number' ? String(part) : part);
const withNumbers = (part: unknown) => (typeof part === 'string' && /^[1-9]\d{0,14}$/.test(part) ? Number(part) : part);

describe('a repeated event has the same id', () => {
  it.each(requests)('$name, in whatever form it comes again', ({ name, change }) => {
    const body = hasNoTime(name) ? bodyOf(change) : untimed(change);
    const ids = idsOf(body);
    expect(ids).toHaveLength(copiesOf(name));
    for (const later of [500, minuteMs, 10 * minuteMs, dayMs, 7 * dayMs]) {
      expect(idsOf(body, sentAt + later)).toEqual(ids);
    }
    for (const rewrite of [inOtherOrder, withTexts, withNumbers]) {
      expect(idsOf(rewritten(body, rewrite))).toEqual(ids);
    }
  });

  it.each(requests)('$name, together with others', ({ name, change, request }) => {
    const build = hasNoTime(name) ? bodyOf : untimed;
    const others = requests.map((other) => other.change).filter((other) => other !== change);
    const another = buildEvent({ ...request, contact: { user_id: 'BR.1' } }, origin, sentAt + 1000);
    const [id] = idsOf(build(change));
    for (const batch of [
      [...others, change],
      [change, another],
      [another, change],
    ]) {
      expect(idsOf(build(...batch))).toContain(id);
    }
  });

  it('except an error that nothing dates', () => {
    const body = untimed(...requests.filter(({ name }) => name === 'error').map(({ change }) => change));
    expect(idsOf(body, sentAt + 1)).not.toEqual(idsOf(body));
  });
});

/** An event's nearest neighbours: each differs from it in one member. */
function neighboursOf(change: Change): { path: string; change: Change }[] {
  const paths: string[] = [];
  visit(change.value, '');
  return paths.map((path) => ({ path, change: { ...change, value: changed(change.value, path.split('/').slice(1)) } }));

  function visit(value: unknown, path: string): void {
    if (Array.isArray(value) || isObject(value)) {
      for (const [name, part] of Object.entries(value)) visit(part, `${path}/${name}`);
    } else if (value !== undefined && value !== null) paths.push(path);
  }

  function changed<T>(value: T, [name, ...rest]: readonly string[]): T {
    if (name === undefined) return another(value) as T;
    if (Array.isArray(value)) return value.with(Number(name), changed(value[Number(name)], rest)) as T;
    return { ...value, [name]: changed(value[name as keyof T], rest) };
  }
}

function another(value: unknown): unknown {
  if (typeof value === 'string') return /^\d+$/.test(value) ? String(Number(value) + 1) : `${value}x`;
  return typeof value === 'number' ? value + 1 : !value;
}

/** What tells two events of a number apart. Whatever else the platform says of one, its id stays the same. */
const identity: Readonly<Record<string, RegExp>> = {
  message: /^\/messages\/0\/id$/,
  status: /^\/statuses\/0\/(id|status|recipient_participant_id|participant_recipient_id)$/,
  error: /^\/errors\/0\/(code|title|href|error_data\/details)$/,
  call: /^\/calls\/0\/(id|event|call_\w+\/\w+\/id)$|^\/statuses\/0\/(id|status)$/,
};
/** The number, and the time, with which an id begins. */
const ofAny = /^\/metadata\/phone_number_id$|^\/\w+\/0\/timestamp$/;
const addressOfFile = /\/(image|document|audio|video|sticker)\/url$/;

describe('two events have two ids', () => {
  it.each(requests)('$name and its nearest neighbours', ({ name, change }) => {
    const kind = Object.entries(samplesByKind).find(([, samples]) => name in samples)?.[0] ?? '';
    const identifying = identity[kind];
    const tells = (path: string) =>
      identifying ? identifying.test(path) || ofAny.test(path) : !addressOfFile.test(path);
    const [id] = idsOf(bodyOf(change));
    const neighbours = neighboursOf(change);
    const told = neighbours.filter((neighbour) => idsOf(bodyOf(neighbour.change))[0] !== id);
    expect(told.map(({ path }) => path)).toEqual(neighbours.map(({ path }) => path).filter(tells));
  });
});
