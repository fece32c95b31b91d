import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { fromItem, getRecord, queryPartition, type Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/write.ts';
import { type Clock, dayMs } from '#shared/base/time.ts';

/** That events of a number arrive. It has nothing of their contents, nor of contacts. */
export interface EventNote {
  /** Epoch milliseconds. Notes are rare, so a later event may have no note. */
  last_event_at: number;
  kind: 'message' | 'call' | 'status' | 'error' | 'field';
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
