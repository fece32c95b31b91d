import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { eventNoteStore, numberNoteKeptMs, unknownNumberKeptMs } from './event-note-store.ts';

const start = Date.UTC(2026, 0, 31);
let now: number;
let notes: ReturnType<typeof eventNoteStore>;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  notes = eventNoteStore(dynamodb.table, () => now);
});
beforeEach(() => {
  now = start;
});

describe('the note of a number', () => {
  it('does not exist before the first event', async () => {
    expect(await notes.get(newId())).toBeUndefined();
  });

  it('is that of the latest event, in whatever order processes write', async () => {
    const number = newId();
    await notes.noteNumber(number, { last_event_at: start, kind: 'status' });
    await notes.noteNumber(number, { last_event_at: start + 2, kind: 'message' });
    await notes.noteNumber(number, { last_event_at: start + 1, kind: 'call' });
    expect(await notes.get(number)).toEqual({ last_event_at: start + 2, kind: 'message' });
  });

  it('expires', async () => {
    const number = newId();
    await notes.noteNumber(number, { last_event_at: start, kind: 'message' });
    const { Item } = await dynamodb.table.client.send(
      new GetCommand({ TableName: dynamodb.table.name, Key: keys.eventNote(number) }),
    );
    expect(Item?.expires_at_seconds).toBe((start + numberNoteKeptMs) / 1000);
    now = start + numberNoteKeptMs;
    expect(await notes.get(number)).toBeUndefined();
  });
});

describe('unknown numbers', () => {
  const unknown = (phone_number_id: string, last_event_at: number) => ({
    phone_number_id,
    display_phone_number: '15550100001',
    waba_id: '102',
    last_event_at,
  });

  it('are listed once each with their last event, until a week later', async () => {
    await notes.noteUnknown(unknown('1', start));
    await notes.noteUnknown(unknown('2', start + 1));
    await notes.noteUnknown(unknown('2', start + 2));
    expect(await notes.unknownNumbers()).toEqual([unknown('1', start), unknown('2', start + 2)]);
    now = start + unknownNumberKeptMs;
    expect(await notes.unknownNumbers()).toEqual([unknown('2', start + 2)]);
  });
});
