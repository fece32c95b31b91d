import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#shared/base/json.ts';
import {
  callNotification,
  eventTime,
  messageNotification,
  normaliseError,
  normaliseErrors,
  statusNotification,
  timestampsIn,
} from './normalise.ts';

const contact = { profile: { name: 'Sample Customer' }, wa_id: '16505551234' };
const common = { from: '16505551234', id: 'wamid.1', timestamp: '1795000000' };

/** The delivered message, as text, because the order of members is guaranteed too. */
function delivered(message: Record<string, unknown>): string {
  const notification = messageNotification(message, contact);
  if (!('messages' in notification)) throw new Error('not a message');
  return JSON.stringify(notification.messages[0]);
}

describe('messageNotification', () => {
  it('has an empty list of contacts if the upstream names none', () => {
    const message = { ...common, type: 'system', system: { body: 'changed', type: 'user_changed_number' } };
    expect(messageNotification(message, undefined)).toEqual({ contacts: [], messages: [message] });
  });

  it.each(['image', 'document', 'video', 'audio', 'sticker'])(
    'removes the URLs from a message of the type %s',
    (type) => {
      const media = { id: '1', mime_type: 'x/y', sha256: 'aGFzaA==' };
      const addressed = { url: 'https://lookaside.example/1', ...media, link: 'https://a.example/', file: 'voice.ogg' };
      expect(delivered({ ...common, type, [type]: addressed })).toBe(
        JSON.stringify({ ...common, type, [type]: media }),
      );
    },
  );

  it('keeps the addresses of locations and contact cards', () => {
    const location = {
      ...common,
      type: 'location',
      location: { latitude: 1.5, longitude: 2, url: 'https://a.example/' },
    };
    const card = { ...common, type: 'contacts', contacts: [{ urls: [{ url: 'https://a.example/', type: 'WORK' }] }] };
    expect(delivered(location)).toBe(JSON.stringify(location));
    expect(delivered(card)).toBe(JSON.stringify(card));
  });

  it('replaces the type voice with audio, at the same position', () => {
    const voice = { id: '1', mime_type: 'audio/ogg; codecs=opus', sha256: 'aGFzaA==' };
    expect(delivered({ ...common, type: 'voice', voice: { ...voice, url: 'https://a.example/' }, extra: 1 })).toBe(
      JSON.stringify({ ...common, type: 'audio', audio: voice, extra: 1 }),
    );
  });

  it('keeps the flag that distinguishes a recording from a file', () => {
    const message = { ...common, type: 'audio', audio: { id: '1', mime_type: 'audio/ogg', sha256: 'h', voice: true } };
    expect(delivered(message)).toBe(JSON.stringify(message));
  });

  it.each(['audio', 'voice'])('removes the caption of %s, which other files keep', (type) => {
    const file = { id: '1', mime_type: 'x/y', sha256: 'h' };
    expect(delivered({ ...common, type, [type]: { ...file, caption: 'c' } })).toBe(
      JSON.stringify({ ...common, type: 'audio', audio: file }),
    );
    const video = { ...common, type: 'video', video: { ...file, caption: 'c' } };
    expect(delivered(video)).toBe(JSON.stringify(video));
  });

  it('normalises the contents of an edited message', () => {
    const edit = (image: object) => ({
      ...common,
      type: 'edit',
      edit: { original_message_id: 'wamid.0', message: { context: null, type: 'image', image } },
    });
    expect(delivered(edit({ id: '1', caption: 'new', url: 'https://a.example/' }))).toBe(
      JSON.stringify(edit({ id: '1', caption: 'new' })),
    );
  });

  it('flattens the errors of an unsupported message', () => {
    const errors = [{ code: 131051, title: 'Unsupported', message: 'Unsupported', error_data: { details: 'd' } }];
    expect(delivered({ ...common, errors, type: 'unsupported' })).toBe(
      JSON.stringify({
        ...common,
        errors: [{ code: 131051, title: 'Unsupported', details: 'd' }],
        type: 'unsupported',
      }),
    );
  });

  it.each([
    ['a forwarded message', { context: { forwarded: true }, ...common, type: 'text', text: { body: 'x' } }],
    ['a user without a phone number', { from_user_id: 'US.1', id: 'wamid.1', type: 'text', text: { body: 'x' } }],
    ['no type', common],
    ['media that are not an object', { ...common, type: 'image', image: 'x', audio: [1], sticker: null }],
  ])('does not change the contents of %s', (_, message) => {
    expect(delivered(message)).toBe(JSON.stringify(message));
  });

  it('keeps members with the names of prototype properties', () => {
    const text =
      '{"id":"1","__proto__":{"polluted":true},"constructor":{"a":1},"type":"__proto__","image":{"__proto__":{}}}';
    expect(delivered(JSON.parse(text))).toBe(text);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('writes a time as text, whatever its type', () => {
    expect(delivered({ ...common, timestamp: 1_795_000_000 })).toBe(JSON.stringify(common));
  });

  it('does not modify its input', () => {
    const message = { ...common, type: 'voice', voice: { id: '1', url: 'u' }, errors: [{ code: 1, message: 'm' }] };
    const before = structuredClone(message);
    messageNotification(message, contact);
    expect(message).toEqual(before);
  });
});

describe('statusNotification', () => {
  it('sends no contact with the status failed, and flattens its errors', () => {
    const failed = { id: 'wamid.1', status: 'failed', timestamp: '1795000000' };
    const errors = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }];
    expect(statusNotification({ ...failed, errors }, contact)).toEqual({
      statuses: [{ ...failed, errors: [{ code: 131026, title: 'Message undeliverable' }] }],
    });
  });

  it.each(['sent', 'delivered', 'read', 'played', 'deleted'])('omits the errors of the status %s', (status) => {
    const errors = [{ code: 131026, title: 'Message undeliverable' }];
    expect(statusNotification({ id: 'wamid.1', status, errors, timestamp: '1' }, contact)).toEqual({
      statuses: [{ id: 'wamid.1', status, timestamp: '1' }],
      contacts: [contact],
    });
  });

  it('has no contacts if none is known', () => {
    expect(statusNotification({ id: 'wamid.1', status: 'read' }, undefined)).toEqual({
      statuses: [{ id: 'wamid.1', status: 'read' }],
      contacts: [],
    });
  });
});

describe('callNotification', () => {
  const connect = { id: 'wacid.1', from: '1', to: '2', event: 'connect', timestamp: '1', direction: 'USER_INITIATED' };
  const delivered = {
    id: 'wacid.1',
    call_id: 'wacid.1',
    from: '1',
    to: '2',
    event: 'connect',
    timestamp: '1',
    direction: 'USER_INITIATED',
  };
  const session = { sdp_type: 'offer', sdp: 'v=0\r\n' };
  const connection = { webrtc: { sdp: 'v=0\r\n' } };

  it('contains the SDP in both places, wherever the upstream sent it', () => {
    const both = JSON.stringify({ calls: [{ ...delivered, connection, session, deeplink_payload: 'x' }] });
    expect(JSON.stringify(callNotification({ ...connect, session, deeplink_payload: 'x' }, undefined))).toBe(both);
    expect(
      JSON.stringify(callNotification({ ...connect, connection, session, deeplink_payload: 'x' }, undefined)),
    ).toBe(both);
  });

  it.each([{}, { session: null }, { session: { sdp_type: 'offer' } }, { session: { sdp: 1 } }])(
    'adds no SDP for %j',
    (members) => {
      const call = { ...connect, ...members };
      expect(callNotification(call, undefined)).toEqual({ calls: [{ ...delivered, ...members }] });
    },
  );

  it('has the id as `call_id`, too, in `connect` only', () => {
    expect(JSON.stringify(callNotification(connect, undefined))).toBe(JSON.stringify({ calls: [delivered] }));
    const ended = { ...connect, event: 'terminate' };
    expect(callNotification(ended, undefined)).toEqual({ calls: [ended] });
    const named = { ...connect, call_id: 'theirs' };
    expect(callNotification(named, undefined)).toEqual({ calls: [named] });
    const { id: _, ...unnamed } = connect;
    expect(callNotification(unnamed, undefined)).toEqual({ calls: [unnamed] });
  });

  it('omits the URLs of recordings and transcripts', () => {
    const recorded = (address: object) => ({
      id: 'wacid.1',
      event: 'call_recording_available',
      call_recording: { audio: { id: '1', mime_type: 'audio/ogg', ...address }, duration: 3 },
      call_transcript: { document: { id: '2', ...address } },
      call_transcription: { id: '3', ...address },
      deeplink: { url: 'https://a.example/' },
    });
    expect(callNotification(recorded({ url: 'https://lookaside.example/1' }), undefined)).toEqual({
      calls: [recorded({})],
    });
  });

  it('omits the URLs in a list of recordings', () => {
    const recorded = (address: object) => ({
      id: 'wacid.1',
      event: 'call_recording_available',
      call_recording: [
        { audio: [{ id: '1', ...address }], duration: 3 },
        { id: '2', ...address },
      ],
      more: { parts: [{ call_transcript: { document: { id: '3', ...address } } }] },
    });
    expect(callNotification(recorded({ url: 'https://lookaside.example/1', file: 'x' }), undefined)).toEqual({
      calls: [recorded({})],
    });
  });
});

describe('normaliseError', () => {
  it('flattens the upstream form and removes repetitions', () => {
    const upstream = {
      code: 131047,
      title: 'Re-engagement message',
      message: 'Re-engagement message',
      error_data: { details: 'More than 24 hours have passed', messaging_product: 'whatsapp' },
      href: '/documentation/error-codes/',
    };
    const error = normaliseError(upstream);
    expect(error).toEqual({
      code: 131047,
      title: 'Re-engagement message',
      details: 'More than 24 hours have passed',
      href: '/documentation/error-codes/',
    });
    expect(Object.keys(error ?? {})).toEqual(['code', 'title', 'details', 'href']);
  });

  it.each([
    ['a title only in the message, as in call errors', { code: 1, message: 'm' }, { code: 1, title: 'm' }],
    ['details as bare text', { code: 1, title: 't', error_data: 'd' }, { code: 1, title: 't', details: 'd' }],
    ['details already flat', { code: 1, title: 't', details: 'd' }, { code: 1, title: 't', details: 'd' }],
    ['a code as text', { code: '131026', title: 't' }, { code: 131026, title: 't' }],
    ['code zero', { code: 0, title: 't' }, { code: 0, title: 't' }],
    ['no text at all', { code: 1 }, { code: 1, title: 'Unknown error' }],
    ['members of the wrong type', { code: 1, title: 2, href: {}, error_data: [] }, { code: 1, title: 'Unknown error' }],
  ])('reads an error with %s', (_, upstream, expected) => {
    expect(normaliseError(upstream)).toEqual(expected);
  });

  it.each([null, 'error', 131026, [], {}, { title: 'no code' }, { code: 'E1' }, { code: null }])(
    'finds no error in %j',
    (value) => {
      expect(normaliseError(value)).toBeUndefined();
    },
  );

  it('removes invalid entries from a list of errors', () => {
    expect(normaliseErrors([null, { code: 1, title: 't' }, 'x'])).toEqual([{ code: 1, title: 't' }]);
  });
});

const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const seconds = (ms: number) => Math.floor(ms / 1000);
const fallback = Date.UTC(2026, 10, 20, 12, 30);

describe('eventTime', () => {
  it.each([
    ['text', '1795000000', 1_795_000_000_000],
    ['a number', 1_795_000_000, 1_795_000_000_000],
    ['a fraction', 1_795_000_000.7, 1_795_000_000_000],
    ['a fraction that a double cannot write', parseExactJson('1795000000.0'), 1_795_000_000_000],
    ['an exponent', parseExactJson('1.795e9'), 1_795_000_000_000],
    ['the start of 2020', '1577836800', Date.UTC(2020, 0, 1)],
    ['a day ahead', seconds(now + 86_400_000), seconds(now + 86_400_000) * 1000],
  ])('reads a time that is %s', (_, time, expected) => {
    expect(eventTime([time], now)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    '',
    '1795000000abc',
    {},
    true,
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1577836799',
    seconds(now + 86_400_000) + 1,
    now,
    parseExactJson('99999999999999999999'),
    parseExactJson('1e400'),
  ])('ignores the implausible time %j', (time) => {
    expect(eventTime([time], now)).toBe(fallback);
  });

  it('returns the first plausible time', () => {
    expect(eventTime([undefined, '1', '1795000000', '1795000001'], now)).toBe(1_795_000_000_000);
  });

  it('returns the same time for repeats within ten minutes', () => {
    expect(eventTime([], fallback)).toBe(fallback);
    expect(eventTime([], fallback + 599_999)).toBe(fallback);
    expect(eventTime([], fallback + 600_000)).toBe(fallback + 600_000);
  });
});

describe('timestampsIn', () => {
  it('finds the deepest times first, and of one depth the latest first', () => {
    const items = [{ timestamp: '1795000001' }, { timestamp: 1_795_000_003, sent: { timestamp: '1795000002' } }];
    expect([...timestampsIn({ timestamp: '1795000009', items })]).toEqual([
      1_795_000_002, 1_795_000_003, 1_795_000_001, 1_795_000_009,
    ]);
  });

  it('finds when something was created or updated', () => {
    const configuration = { created_timestamp: 1_795_000_000, updated_timestamp: 1_795_000_001 };
    expect([...timestampsIn(configuration)]).toEqual([1_795_000_001, 1_795_000_000]);
  });

  it('finds none in other members, in values that are not times and in any nesting', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect([...timestampsIn([{ expiration_timestamp: 1_795_000_000, timestamp: {} }, 'x', null, deep])]).toEqual([]);
  });
});
