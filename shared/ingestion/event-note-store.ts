import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { fromItem, getRecord, queryPartition, type Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/write.ts';
import { BoundedMap } from '#shared/base/cache.ts';
import { within } from '#shared/base/concurrency.ts';
import { isText, own } from '#shared/base/json.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { type Clock, dayMs, minuteMs } from '#shared/base/time.ts';
import type { DeliverySettings } from '#shared/webhooks/subscriber.ts';
import type { Change } from './event-items.ts';
import { accountsOf, numberOf, type UpstreamEvent, wholeOf } from './events.ts';

/** The kinds of events of a number, the most telling first: a note of several events has the first of their kinds. */
const kinds = ['message', 'call', 'status', 'error', 'field'] as const;

/** That events of a number arrive. It has nothing of their contents, nor of contacts. */
export interface EventNote {
  /** Epoch milliseconds. Notes are rare, so a later event may have no note. */
  last_event_at: number;
  kind: (typeof kinds)[number];
}

/** A number that got events here when no workspace had it. */
export interface UnknownNumber {
  phone_number_id: string;
  /** The number as people read it, if the event says it. */
  display_phone_number: string | null;
  waba_id: string | null;
  /** Epoch milliseconds. */
  last_event_at: number;
}

export const numberNoteKeptMs = 90 * dayMs;
export const unknownNumberKeptMs = 7 * dayMs;

export type EventNoteStore = ReturnType<typeof eventNoteStore>;

/**
 * Stores that events arrive. Notes have partitions of their own: ingestion reads the partition of a number for every
 * event, and should not read notes with it.
 */
export function eventNoteStore(table: Table, now: Clock) {
  async function put(key: { pk: string; sk: string }, note: EventNote | UnknownNumber, keptMs: number): Promise<void> {
    const { last_event_at } = note;
    const write = new PutCommand({
      TableName: table.name,
      Item: { ...key, ...note, expires_at_seconds: Math.ceil((last_event_at + keptMs) / 1000) },
      ConditionExpression: 'attribute_not_exists(pk) OR last_event_at < :at',
      ExpressionAttributeValues: { ':at': last_event_at },
    });
    await succeeds(table.client.send(write));
  }

  /** DynamoDB deletes expired items some time later. */
  const isKept = ({ last_event_at }: { last_event_at: number }, keptMs: number) => last_event_at + keptMs > now();

  return {
    /** Keeps the note, unless there is a later one. */
    noteNumber: (number: string, note: EventNote) => put(keys.eventNote(number), note, numberNoteKeptMs),
    noteUnknown: (number: UnknownNumber) =>
      put(keys.unknownNumber(number.phone_number_id), number, unknownNumberKeptMs),

    async get(number: string): Promise<EventNote | undefined> {
      const note = await getRecord<EventNote>(table, keys.eventNote(number));
      return note && isKept(note, numberNoteKeptMs) ? note : undefined;
    },

    /** The unknown numbers that have a note which has not expired. */
    async unknownNumbers(): Promise<UnknownNumber[]> {
      const found = await Array.fromAsync(queryPartition(table, keys.unknownNumber('any').pk));
      return found
        .flatMap((item) => fromItem<UnknownNumber>(item) ?? [])
        .filter((number) => isKept(number, unknownNumberKeptMs));
    },
  };
}

/** The time between two notes of a number that a process writes. */
export const noteIntervalMs = minuteMs;

/** The maximum number of numbers whose last note a process remembers. */
const maxNumbers = 10_000;

/** Notes are written while the queue takes the notifications. If they take longer, the response does not wait. */
const maxWaitMs = 250;

/** The numbers of a request by their upstream ids; `undefined` for those that are unknown here. */
type Numbers = ReadonlyMap<string, DeliverySettings | undefined>;

/** Notes that events arrived, of those numbers that the events name. It never throws. */
export type EventNoter = (events: readonly UpstreamEvent[], numbers: Numbers) => Promise<void>;

/** Creates the noter of one process. It must see only events whose signature has been verified. */
export function eventNoter(store: Pick<EventNoteStore, 'noteNumber' | 'noteUnknown'>, now: Clock): EventNoter {
  const notedAt = new BoundedMap<string, number>(maxNumbers);

  /** Whether a note is due. It counts as written, because a failing table must not get more writes. */
  function isDue(phoneNumberId: string, at: number): boolean {
    if (at - (notedAt.get(phoneNumberId) ?? Number.NEGATIVE_INFINITY) < noteIntervalMs) return false;
    notedAt.set(phoneNumberId, at);
    return true;
  }

  const unknown = { since: Number.NEGATIVE_INFINITY, count: 0 };

  /** Whether a note of an unknown number is due. A signed request may name any ids, and each would be a write. */
  function isUnknownDue(phoneNumberId: string, at: number): boolean {
    if (at - unknown.since >= noteIntervalMs) Object.assign(unknown, { since: at, count: 0 });
    if (unknown.count >= maxUnknownNotes || !platformId.test(phoneNumberId) || !isDue(phoneNumberId, at)) return false;
    unknown.count++;
    return true;
  }

  return async (events, numbers) => {
    const at = now();
    const byNumber = Map.groupBy(events, numberOf);
    const due = [...numbers].flatMap(([id, settings]) => {
      const ofNumber = byNumber.get(id);
      const isNoted = ofNumber && (settings ? isDue(id, at) : isUnknownDue(id, at));
      return isNoted ? [{ id, settings, ofNumber }] : [];
    });
    if (due.length === 0) return;
    const writes = due.map(async ({ id, settings, ofNumber }) => {
      if (settings) {
        const kind = kinds.find((kind) => ofNumber.some((event) => event.kind === kind)) ?? 'field';
        return store.noteNumber(settings.subscriber.id, { last_event_at: at, kind });
      }
      const change = ofNumber.map(wholeOf).find((whole) => whole !== undefined);
      return store.noteUnknown({ phone_number_id: id, ...describe(change), last_event_at: at });
    });
    try {
      await within(maxWaitMs, Promise.all(writes));
    } catch (error) {
      log('warn', 'event.not-noted', describeError(error));
    }
  };
}

/** How many notes of unknown numbers a process writes in {@link noteIntervalMs}. */
const maxUnknownNotes = 10;
const platformId = /^\d{1,32}$/;

/** A number as people read it. Notes are printed on terminals, so no other characters get into one. */
const displayNumber = /^[+\d\s().-]{1,32}$/;

function describe(change: Change | undefined): Pick<UnknownNumber, 'display_phone_number' | 'waba_id'> {
  const displayed = own(own(change?.value, 'metadata'), 'display_phone_number');
  return {
    display_phone_number: isText(displayed) && displayNumber.test(displayed) ? displayed : null,
    waba_id: (change && accountsOf(change.entry, change.value)[0]) ?? null,
  };
}
