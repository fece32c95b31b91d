import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { type DeliverySettings, newTarget } from '#shared/webhooks/subscriber.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { phoneNumber } from '#support/phone-number.ts';
import {
  type EventNote,
  type EventNoteStore,
  eventNoter,
  eventNoteStore,
  noteIntervalMs,
  numberNoteKeptMs,
  type UnknownNumber,
  unknownNumberKeptMs,
} from './event-note-store.ts';
import { splitEvents } from './events.ts';

const start = Date.UTC(2026, 0, 31);
const number = phoneNumber({ phone_number_id: '200000000000001', display_phone_number: '+15550100001' });
const settings: DeliverySettings = {
  subscriber: number,
  targets: { webhook: newTarget(), secondary_webhook: newTarget(), calls_webhook: newTarget() },
};
const numbers = new Map([[number.phone_number_id, settings]]);

let logged: LogEntry[];
let now: number;
beforeEach(() => {
  logged = captureLog();
  now = start;
});

const message = { id: 'wamid.1', from: '15550109999', type: 'text', text: { body: 'secret words' } };
const status = { id: 'wamid.2', status: 'read', recipient_id: '15550109999' };

function eventsOf(phoneNumberId: string, lists: object, field = 'messages') {
  const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId };
  const changes = [{ field, value: { messaging_product: 'whatsapp', metadata, ...lists } }];
  return splitEvents({ object: 'whatsapp_business_account', entry: [{ id: '102', changes }] }, start);
}

const ofNumber = (lists: object) => eventsOf(number.phone_number_id, lists);

function noter(overrides: Partial<EventNoteStore> = {}) {
  const written: ((EventNote & { number: string }) | UnknownNumber)[] = [];
  const note = eventNoter(
    {
      noteNumber: async (id, note) => void written.push({ number: id, ...note }),
      noteUnknown: async (unknown) => void written.push(unknown),
      ...overrides,
    },
    () => now,
  );
  return { note, written };
}

describe('the note of a number', () => {
  it('says when its last event arrived and of what kind it is, and nothing of its contents', async () => {
    const { note, written } = noter();
    await note(ofNumber({ messages: [message] }), numbers);
    expect(written).toEqual([{ number: number.id, last_event_at: start, kind: 'message' }]);
  });

  it.each([
    ['a message', { statuses: [status], messages: [message] }, 'message'],
    ['a status', { statuses: [status], errors: [{ code: 1, title: 'x' }] }, 'status'],
    ['something that cannot be read', { messages: [{ type: 'text' }] }, 'field'],
  ])('has the kind of the most telling event of a request: %s', async (_, lists, kind) => {
    const { note, written } = noter();
    await note(ofNumber(lists), numbers);
    expect(written).toMatchObject([{ kind }]);
  });

  it('is written at most once a minute by a process', async () => {
    const { note, written } = noter();
    for (now of [start, start + 1, start + noteIntervalMs - 1, start + noteIntervalMs, start + noteIntervalMs + 1]) {
      await note(ofNumber({ messages: [message] }), numbers);
    }
    expect(written.map(({ last_event_at }) => last_event_at - start)).toEqual([0, noteIntervalMs]);
  });

  it('is written for a number that is switched off', async () => {
    const { note, written } = noter();
    const off = { ...settings, subscriber: { ...number, active: false } };
    await note(ofNumber({ messages: [message] }), new Map([[number.phone_number_id, off]]));
    expect(written).toMatchObject([{ number: number.id }]);
  });
});

describe('the note of an unknown number', () => {
  it('names the number and its business account, and no contact', async () => {
    const { note, written } = noter();
    await note(eventsOf('999', { messages: [message] }), new Map([['999', undefined]]));
    expect(written).toEqual([
      { phone_number_id: '999', display_phone_number: '15550100001', waba_id: '102', last_event_at: start },
    ]);
  });

  it('is written at most once a minute for each number', async () => {
    const { note, written } = noter();
    for (const id of ['997', '998', '997', '998']) {
      await note(eventsOf(id, { messages: [message] }), new Map([[id, undefined]]));
    }
    expect(written).toMatchObject([{ phone_number_id: '997' }, { phone_number_id: '998' }]);
  });

  it('is written for ten numbers a minute, however many the requests name, and for known ones besides', async () => {
    const { note, written } = noter();
    for (let id = 0; id < 30; id++) await note(eventsOf(String(id), {}), new Map([[String(id), undefined]]));
    expect(written).toHaveLength(10);
    await note(ofNumber({ messages: [message] }), numbers);
    expect(written).toHaveLength(11);
    now += noteIntervalMs;
    await note(eventsOf('30', {}), new Map([['30', undefined]]));
    expect(written.at(-1)).toMatchObject({ phone_number_id: '30' });
  });

  it('is not written if none of its events is to be noted', async () => {
    const { note, written } = noter();
    await note([], new Map([['999', undefined]]));
    expect(written).toEqual([]);
  });
});

describe('a table that fails', () => {
  it('is logged, and gets no more writes than one that works', async () => {
    let writes = 0;
    const { note } = noter({
      noteNumber: async () => {
        writes++;
        throw new Error('The table is away');
      },
    });
    await note(ofNumber({ messages: [message] }), numbers);
    await note(ofNumber({ messages: [message] }), numbers);
    expect(writes).toBe(1);
    expect(logged).toMatchObject([{ level: 'warn', event: 'event.not-noted', error_message: 'The table is away' }]);
  });

  it('delays ingestion by a fraction of a second at most', async () => {
    const { note } = noter({ noteNumber: () => new Promise(() => {}) });
    await note(ofNumber({ messages: [message] }), numbers);
    expect(logged).toMatchObject([{ event: 'event.not-noted', error: 'Error' }]);
  });
});

const dynamodb = forAllTests(() => startTestTable());
const notes = forAllTests(() => eventNoteStore(dynamodb.table, () => now));
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
