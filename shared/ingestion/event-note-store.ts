import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { fromItem, getRecord } from '#shared/aws/item.ts';
import { keys } from '#shared/aws/keys.ts';
import { queryPartition } from '#shared/aws/query.ts';
import type { Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/update.ts';
import type { Clock } from '#shared/base/time.ts';
import {
  type EventNote,
  type EventNoteStore,
  numberNoteKeptMs,
  type UnknownNumber,
  unknownNumberKeptMs,
} from './event-notes.ts';

/**
 * Stores that events arrive. Notes have partitions of their own: ingestion reads the partition of a number for every
 * event, and should not read notes with it.
 */
export function eventNoteStore(table: Table, now: Clock): EventNoteStore {
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
    noteNumber: (number, note) => put(keys.eventNote(number), note, numberNoteKeptMs),
    noteUnknown: (number) => put(keys.unknownNumber(number.phone_number_id), number, unknownNumberKeptMs),

    async get(number) {
      const note = await getRecord<EventNote>(table, keys.eventNote(number));
      return note && isKept(note, numberNoteKeptMs) ? note : undefined;
    },

    async unknownNumbers() {
      const found = await Array.fromAsync(queryPartition(table, keys.unknownNumber('any').pk));
      return found
        .flatMap((item) => fromItem<UnknownNumber>(item) ?? [])
        .filter((number) => isKept(number, unknownNumberKeptMs));
    },
  };
}
