import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#shared/base/json.ts';
import { splitEvents, type UpstreamEvent } from './events.ts';
import { accountsNamed } from './ingest.ts';

const receivedAt = Date.UTC(2026, 10, 20, 12);
const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };
const kerry = { profile: { name: 'Sample Customer' }, wa_id: '16505551234' };
const ana = { profile: { name: 'Ana' }, user_id: 'BR.13491208655302741918' };

const text = (id: string, from: object = { from: kerry.wa_id }) => ({
  ...from,
  id,
  timestamp: '1795000000',
  type: 'text',
  text: { body: 'Hello' },
});
const status = (id: string, status: string, recipient: object = { recipient_id: kerry.wa_id }) => ({
  id,
  status,
  timestamp: '1795000001',
  ...recipient,
});

const change = (field: string, value: unknown) => ({ field, value });
const messages = (value: object) => change('messages', { messaging_product: 'whatsapp', metadata, ...value });
const calls = (value: object) => change('calls', { messaging_product: 'whatsapp', metadata, ...value });
const entry = (...changes: unknown[]) => ({ id: '102290129340398', time: 1_795_000_002, changes });
const body = (...entries: unknown[]) => ({ object: 'whatsapp_business_account', entry: entries });
const split = (...changes: unknown[]) => splitEvents(body(entry(...changes)), receivedAt);

/** Deeper than JSON can be written. */
const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);

const textsOf = (events: readonly UpstreamEvent[]) =>
  events.flatMap((event) => (event.kind === 'field' ? [JSON.parse(event.text)] : []));

const about = { phoneNumberId: metadata.phone_number_id };

describe('splitEvents', () => {
  it('finds a message with its contact', () => {
    expect(split(messages({ contacts: [kerry], messages: [text('wamid.1')] }))).toEqual([
      {
        kind: 'message',
        ...about,
        notification: { contacts: [kerry], messages: [text('wamid.1')] },
        key: 'message:wamid.1',
        timestampMs: 1_795_000_000_000,
        change: expect.objectContaining({ field: 'messages' }),
        source: { list: 'messages', item: text('wamid.1'), contact: kerry },
      },
    ]);
  });

  it.each(['smb_message_echoes', 'message_echoes'])(
    'finds what staff wrote in other apps, for the number and, as it is, for workspaces: %s',
    (field) => {
      const echo = {
        from: '15550783881',
        to: '16505551234',
        to_user_id: 'BR.1',
        id: 'wamid.9',
        timestamp: 1_795_000_000,
      };
      const voice = { type: 'voice', voice: { id: '1', url: 'https://lookaside.fbsbx.com' } };
      const value = {
        metadata,
        message_echoes: [
          { ...echo, ...voice },
          { ...echo, id: undefined },
        ],
      };
      const events = split(change(field, value));
      expect(textsOf(events)).toEqual([
        {
          field,
          value: {
            metadata,
            message_echoes: [
              { ...echo, type: 'voice', voice: { id: '1' } },
              { ...echo, id: undefined },
            ],
          },
        },
      ]);
      expect(events.slice(1)).toEqual([
        {
          kind: 'echo',
          ...about,
          notification: {
            contacts: [{ wa_id: '16505551234', user_id: 'BR.1' }],
            message_echoes: [{ ...echo, timestamp: '1795000000', type: 'audio', audio: { id: '1' } }],
          },
          key: 'echo:wamid.9',
          timestampMs: 1_795_000_000_000,
          change: expect.objectContaining({ field }),
          source: { list: 'message_echoes', item: { ...echo, ...voice } },
        },
      ]);
    },
  );

  it('leaves echoes that name no number to the workspaces', () => {
    const value = { message_echoes: [{ id: 'wamid.9', to: '16505551234' }] };
    expect(split(change('message_echoes', value)).map(({ kind }) => kind)).toEqual(['field']);
  });

  it('separates several entries, changes and kinds, each with its own contact', () => {
    const failed = { ...status('wamid.4', 'failed'), errors: [{ code: 131026, title: 'Message undeliverable' }] };
    const error = { code: 130429, title: 'Rate limit hit', message: 'Rate limit hit', error_data: { details: 'slow' } };
    const events = splitEvents(
      body(
        entry(
          messages({
            contacts: [kerry, ana],
            messages: [text('wamid.1'), text('wamid.2', { from_user_id: ana.user_id })],
            statuses: [status('wamid.3', 'read', { recipient_user_id: ana.user_id }), failed],
          }),
          messages({ errors: [error] }),
        ),
        entry(messages({ contacts: [kerry], statuses: [status('wamid.3', 'delivered')] })),
      ),
      receivedAt,
    );
    expect(events).toMatchObject([
      { kind: 'message', key: 'message:wamid.1', notification: { contacts: [kerry] } },
      { kind: 'message', key: 'message:wamid.2', notification: { contacts: [ana] } },
      { kind: 'status', key: 'status:wamid.3:read', notification: { contacts: [ana] } },
      { kind: 'status', key: 'status:wamid.4:failed', notification: { statuses: [failed] } },
      { kind: 'error', notification: { errors: [{ code: 130429, title: 'Rate limit hit', details: 'slow' }] } },
      { kind: 'status', key: 'status:wamid.3:delivered', notification: { contacts: [kerry] } },
    ]);
    expect(events[3]).not.toHaveProperty('notification.contacts');
  });

  it('distinguishes participants with a parent id only, and changes no other id', () => {
    const group = { recipient_id: 'group', recipient_type: 'group' };
    const parent = (id: string, members = {}) => ({ ...group, ...members, recipient_participant_parent_user_id: id });
    const statuses = [parent('US.ENT.1'), parent('US.ENT.2'), parent('US.ENT.3', { recipient_participant_id: '3' })];
    const noa = { profile: { name: 'Noa' }, parent_user_id: 'US.ENT.2' };
    const value = { contacts: [noa], statuses: statuses.map((one) => status('wamid.1', 'read', one)) };
    expect(split(messages(value))).toMatchObject([
      { key: 'status:wamid.1:read:US.ENT.1', notification: { contacts: [{ parent_user_id: 'US.ENT.1' }] } },
      { key: 'status:wamid.1:read:US.ENT.2', notification: { contacts: [noa] } },
      { key: 'status:wamid.1:read:3', notification: { contacts: [{ wa_id: '3' }] } },
    ]);
  });

  it.each([
    ['participant_recipient_id', ['16505551234', '16505551235', '16505551236']],
    ['recipient_participant_id', ['16505551234', '16505551235', '16505551236']],
    ['participant_recipient_user_id', ['US.1', 'US.2', 'US.3']],
    ['recipient_participant_user_id', ['US.1', 'US.2', 'US.3']],
    ['participant_recipient_parent_user_id', ['US.ENT.1', 'US.ENT.2', 'US.ENT.3']],
    ['recipient_user_id', ['US.1', 'US.2', 'US.3']],
    ['parent_recipient_user_id', ['US.ENT.1', 'US.ENT.2', 'US.ENT.3']],
  ])('keeps the statuses of three participants of a group apart by `%s`', (member, ids) => {
    const group = { recipient_id: 'group', recipient_type: 'group' };
    const statuses = ids.map((id) => status('wamid.1', 'read', { ...group, [member]: id }));
    const contacts = ids.map((id) => ({ profile: {}, [id.startsWith('US') ? 'user_id' : 'wa_id']: id }));
    expect(split(messages({ contacts, statuses }))).toMatchObject(
      ids.map((id, index) => ({ key: `status:wamid.1:read:${id}`, notification: { contacts: [contacts[index]] } })),
    );
    const apart = statuses.flatMap((one) => split(messages({ statuses: [one] })));
    expect(apart.map((event) => 'key' in event && event.key)).toEqual(ids.map((id) => `status:wamid.1:read:${id}`));
  });

  it('names the participant of a group in one way, whichever spelling the upstream has', () => {
    const keys = ['recipient_participant', 'participant_recipient'].map((role) => {
      const ids = { [`${role}_id`]: '1', [`${role}_user_id`]: 'US.1', [`${role}_parent_user_id`]: 'US.ENT.1' };
      const [event] = split(messages({ statuses: [status('wamid.1', 'read', { recipient_id: 'group', ...ids })] }));
      expect(event).toHaveProperty('notification.contacts', [
        { wa_id: '1', user_id: 'US.1', parent_user_id: 'US.ENT.1' },
      ]);
      return event && 'key' in event ? event.key : undefined;
    });
    expect(keys).toEqual(['status:wamid.1:read:1:US.1', 'status:wamid.1:read:1:US.1']);
  });

  it('identifies the status of a message to one person without that person', () => {
    const ids = { recipient_user_id: 'US.1', parent_recipient_user_id: 'US.ENT.1' };
    expect(split(messages({ statuses: [status('wamid.1', 'read', ids)] }))).toMatchObject([
      { key: 'status:wamid.1:read', notification: { contacts: [{ user_id: 'US.1', parent_user_id: 'US.ENT.1' }] } },
    ]);
  });

  it('names the sender or the recipient if the upstream sends no contact, unless a status is failed', () => {
    const group = { recipient_id: 'group', recipient_type: 'group' };
    const [message, read, unknown, failed] = split(
      messages({
        messages: [text('wamid.0', { from_user_id: ana.user_id })],
        statuses: [status('wamid.1', 'read'), status('wamid.2', 'read', group), status('wamid.3', 'failed')],
      }),
    );
    expect(message).toHaveProperty('notification.contacts', [{ user_id: ana.user_id }]);
    expect(read).toHaveProperty('notification.contacts', [{ wa_id: kerry.wa_id }]);
    expect(unknown).toHaveProperty('notification.contacts', []);
    expect(failed).not.toHaveProperty('notification.contacts');
  });

  it('assigns calls and their statuses to the right contact', () => {
    const incoming = { id: 'wacid.1', from: kerry.wa_id, to: '15550783881', event: 'connect' };
    const placed = { id: 'wacid.2', from: '15550783881', to_user_id: ana.user_id, event: 'terminate' };
    const ringing = { id: 'wacid.2', type: 'call', status: 'RINGING', recipient_user_id: ana.user_id };
    const value = { contacts: [kerry, ana], calls: [incoming, placed], statuses: [ringing] };
    expect(split(calls(value))).toMatchObject([
      { notification: { calls: [incoming], contacts: [kerry] } },
      { notification: { calls: [placed], contacts: [ana] } },
      { notification: { statuses: [ringing], contacts: [ana] } },
    ]);
    expect(split(calls({ calls: [incoming] }))[0]).not.toHaveProperty('notification.contacts');
  });

  it('keeps every number digit for digit, and the keys as they were with doubles', () => {
    const item = (numbers: string) =>
      `{"id":"wamid.1","timestamp":1795000000.0,"type":"x","x":{"n":${numbers}},"errors":[{"code":131051.0,"title":"t"}]}`;
    const numbers = '[12345678901234567890,1e400,1.0,-0,0.1000000000000000055511151231257827]';
    const value = `{"metadata":{"phone_number_id":106540352242922.0},"contacts":[{"wa_id":"1","rank":1.50}],
      "messages":[${item(numbers)}],"errors":[{"code":130429.0,"title":"t"}]}`;
    const whole = `{"entry":[{"id":"1","time":1795000002.0,"changes":[{"field":"messages","value":${value}}]}]}`;
    const exact = splitEvents(parseExactJson(whole), receivedAt);
    const [message, error] = exact.map((event) => 'notification' in event && JSON.stringify(event.notification));
    expect(message).toBe(
      `{"contacts":[{"wa_id":"1","rank":1.50}],"messages":[${item(numbers).replace('1795000000.0', '"1795000000"')}]}`,
    );
    expect(error).toBe('{"errors":[{"code":130429.0,"title":"t"}]}');
    const identity = (event: ReturnType<typeof splitEvents>[number]) =>
      'notification' in event ? [event.key, event.phoneNumberId, event.timestampMs] : [];
    expect(exact.map(identity)).toEqual(splitEvents(JSON.parse(whole), receivedAt).map(identity));
  });

  it('reads ids beyond 2^53 that are sent as numbers', () => {
    const value = parseExactJson('{"metadata":{"phone_number_id":12345678901234567890},"messages":[{"id":"wamid.1"}]}');
    expect(split(change('messages', value))).toMatchObject([{ phoneNumberId: '12345678901234567890' }]);
  });

  it('distinguishes errors by their content and the time of their entry, because they have no ids', () => {
    const keys = (time: number | undefined, code: number) =>
      splitEvents(body({ ...entry(messages({ errors: [{ code, title: 't' }] })), time }), receivedAt).map((event) =>
        event.kind === 'error' ? event.key : '',
      );
    expect(keys(1_795_000_000, 1)).toEqual(keys(1_795_000_000, 1));
    const different = [keys(1_795_000_000, 1), keys(1_795_000_001, 1), keys(1_795_000_000, 2), keys(undefined, 1)];
    expect(new Set(different.flat()).size).toBe(4);
  });

  it('takes each arrival of an error for one of its own if its entry has no time', () => {
    const { time: _, ...timeless } = entry(messages({ errors: [{ code: 131_000, title: 't' }] }));
    const keyAt = (at: number) => splitEvents(body(timeless), at).map((event) => 'key' in event && event.key);
    expect(keyAt(receivedAt)).not.toEqual(keyAt(receivedAt + 1));
  });

  it('uses the time of the entry if the item has none', () => {
    const { timestamp: _, ...timeless } = text('wamid.1');
    expect(split(messages({ messages: [timeless] }))).toMatchObject([{ timestampMs: 1_795_000_002_000 }]);
    expect(split(messages({ errors: [{ code: 1 }] }))).toMatchObject([{ timestampMs: 1_795_000_002_000 }]);
  });

  it('sends a call without an SDP to the calls target, and a voicemail with the messages', () => {
    const created = { id: 'wacid.1', event: 'call_created', from: kerry.wa_id, timestamp: '1795000000' };
    const audio = { id: '7', mime_type: 'audio/ogg', sha256: 'x', voice: true };
    const voicemail = { id: 'wacid.1', from: kerry.wa_id, timestamp: '1795000000', type: 'audio', audio };
    expect(split(calls({ calls: [created] }))).toMatchObject([{ kind: 'call', notification: { calls: [created] } }]);
    const [event] = split(messages({ contacts: [kerry], messages: [{ ...voicemail, audio: { ...audio, url: 'u' } }] }));
    expect(event).toMatchObject({ kind: 'message', notification: { contacts: [kerry], messages: [voicemail] } });
    expect(event).not.toHaveProperty('notification.messages.0.audio.url');
  });

  it('sends everything about calls to the calls target', () => {
    const connect = {
      id: 'wacid.1',
      event: 'connect',
      from: kerry.wa_id,
      timestamp: '1795000000',
      session: { sdp_type: 'offer', sdp: 'v=0' },
    };
    const ringing = { id: 'wacid.1', type: 'call', status: 'RINGING', timestamp: '1795000001', recipient_id: '1' };
    const error = { code: 138021, message: 'Media receive timeout', error_data: { details: 'No media' } };
    expect(split(calls({ contacts: [kerry], calls: [connect], statuses: [ringing], errors: [error] }))).toMatchObject([
      { kind: 'call', ...about, key: 'call:wacid.1:connect', notification: { calls: [connect] } },
      { kind: 'call', ...about, key: 'call-status:wacid.1:RINGING', notification: { statuses: [ringing] } },
      {
        kind: 'call',
        ...about,
        notification: { errors: [{ code: 138021, title: 'Media receive timeout', details: 'No media' }] },
        timestampMs: 1_795_000_002_000,
      },
    ]);
  });

  it('distinguishes the errors of calls that fail in the same way at one time', () => {
    const failed = (id: string) =>
      calls({ calls: [{ id, event: 'terminate', timestamp: '1795000000' }], errors: [{ code: 138021 }] });
    const keysOf = (...ids: string[]) =>
      split(...ids.map(failed)).flatMap((event) =>
        'notification' in event && 'errors' in event.notification ? [event.key] : [],
      );
    expect(new Set(keysOf('wacid.1', 'wacid.2')).size).toBe(2);
    expect(keysOf('wacid.2')).toEqual(keysOf('wacid.1', 'wacid.2').slice(1));
  });

  it('distinguishes errors of one body that are alike by their position', () => {
    const errors = [{ code: 131_000 }, { code: 131_000, title: 'Another' }, { code: 131_000 }];
    const [first, , third, ofAnotherNumber] = split(
      messages({ errors }),
      messages({ metadata: { phone_number_id: '7' }, errors: [{ code: 131_000 }] }),
    ).map((event) => 'key' in event && event.key);
    expect(third).not.toBe(first);
    expect(ofAnotherNumber).toBe(first);
  });

  it('identifies an error of a call by the time of the call if its entry has none', () => {
    const value = {
      calls: [{ id: 'wacid.1', event: 'terminate', timestamp: '1795000000' }],
      errors: [{ code: 138021 }],
    };
    const { time: _, ...timeless } = entry(calls(value));
    const [now, later] = [receivedAt, receivedAt + 3_600_000].map((at) => splitEvents(body(timeless), at));
    expect(later).toMatchObject([{ timestampMs: 1_795_000_000_000 }, { timestampMs: 1_795_000_000_000 }]);
    expect(later?.map((event) => 'key' in event && event.key)).toEqual(
      now?.map((event) => 'key' in event && event.key),
    );
  });

  it('distinguishes the payments of a message from each other and from its statuses', () => {
    const payment = (members: object) => ({
      ...status('wamid.1', 'failed'),
      type: 'payment',
      payment: { reference_id: 'r1', ...members },
    });
    const statuses = [
      status('wamid.1', 'failed'),
      payment({}),
      payment({ reference_id: 'r2' }),
      payment({ transaction: { id: 't1' } }),
      payment({ transaction: { id: 't2' } }),
      payment({ transaction: { id: 't2' }, refunds: [{ id: 'f1' }] }),
      { ...status('wamid.1', 'failed'), type: 'order' },
    ];
    const keysOf = (list: readonly object[]) =>
      split(messages({ statuses: list })).map((one) => 'key' in one && one.key);
    expect(new Set(keysOf(statuses)).size).toBe(statuses.length);
    expect(keysOf(statuses.toReversed())).toEqual(keysOf(statuses).toReversed());
  });

  it('distinguishes the recordings of a call', () => {
    const recorded = (id: string) => ({
      id: 'wacid.1',
      event: 'call_recording_available',
      timestamp: '1795000000',
      call_recording: { audio: { id } },
    });
    expect(split(calls({ calls: [recorded('1'), recorded('2')] }))).toMatchObject([
      { key: 'call:wacid.1:call_recording_available:1' },
      { key: 'call:wacid.1:call_recording_available:2' },
    ]);
  });

  it('reads ids that are numbers', () => {
    const contact = { profile: { name: 'Ana' }, wa_id: 15550100999 };
    const group = { recipient_id: 'group', recipient_type: 'group', recipient_participant_id: 15550100997 };
    const value = {
      contacts: [contact],
      messages: [text('wamid.1', { from: 15550100999 }), { ...text('', { from: 15550100998 }), id: 12345678901234 }],
      statuses: [status('wamid.3', 'read', group)],
    };
    expect(split(messages(value))).toMatchObject([
      { key: 'message:wamid.1', notification: { contacts: [contact] } },
      { key: 'message:12345678901234', notification: { contacts: [{ wa_id: '15550100998' }] } },
      { key: 'status:wamid.3:read:15550100997', notification: { contacts: [{ wa_id: '15550100997' }] } },
    ]);
  });

  it('splitEvents reads changes of Flows', () => {
    const changed = {
      event: 'FLOW_STATUS_CHANGE',
      message: 'm',
      flow_id: '1',
      old_status: 'PUBLISHED',
      new_status: 'BLOCKED',
    };
    const created = { event: 'FLOW_STATUS_CHANGE', flow_id: 1, new_status: 'DRAFT' };
    const warning = { event: 'FLOW_VERSION_EXPIRY_WARNING', warning: 'w', flow_id: '1' };
    const flow = {
      kind: 'flow',
      flowWaId: '1',
      event: 'FLOW_STATUS_CHANGE',
      timestampMs: 1_795_000_002_000,
    };
    const events = split(change('flows', changed), change('flows', created), change('flows', warning));
    expect(events.filter(({ kind }) => kind === 'flow')).toEqual([
      { ...flow, oldStatus: 'PUBLISHED', newStatus: 'BLOCKED' },
      { ...flow, newStatus: 'DRAFT' },
      { ...flow, event: 'FLOW_VERSION_EXPIRY_WARNING' },
    ]);
    expect(textsOf(events)).toEqual([changed, created, warning].map((value) => ({ field: 'flows', value })));
  });

  it.each(['account_update', 'user_id_update', '__proto__', 'constructor', ''])(
    'passes the field %j on as it is',
    (field) => {
      const value = { messages: [text('wamid.1')] };
      expect(split(change(field, value))).toEqual([
        {
          kind: 'field',
          field,
          wabaIds: ['102290129340398'],
          text: JSON.stringify({ field, value }),
          source: expect.objectContaining({ field, value }),
          key: expect.stringMatching(/^field-content:[\w-]{43}$/),
          timestampMs: 1_795_000_002_000,
        },
      ]);
    },
  );

  it('passes on what it does not know in a field of a number', () => {
    expect(textsOf(split(messages({ novelties: [1] })))).toEqual([messages({ novelties: [1] })]);
  });

  it('passes a Flow event on that names no Flow', () => {
    expect(split(change('flows', { event: 'x' }))).toMatchObject([{ kind: 'field' }]);
  });

  it('keeps the digits of numbers in a field that it passes on', () => {
    const value = '{"time":1.0,"id":12345678901234567890,"max":1E400}';
    const [event] = splitEvents(
      parseExactJson(`{"entry":[{"id":"1","changes":[{"field":"account_alerts","value":${value}}]}]}`),
      receivedAt,
    );
    expect(event).toMatchObject({ text: `{"field":"account_alerts","value":${value}}` });
  });

  it('removes the short-lived addresses of media from a field that it passes on, if the media have an id', () => {
    const image = { id: '1', mime_type: 'image/jpeg' };
    const header = { type: 'image', image: { link: 'https://example.com/logo.png' } };
    const value = (more: object) => ({
      standby: {
        messages: [
          { type: 'image', image: { ...image, ...more } },
          { type: 'voice', voice: [{ ...image, ...more }] },
          { type: 'interactive', interactive: { header, link: { id: '1', url: 'https://example.com/terms' } } },
        ],
      },
    });
    const [event] = split(change('standby', value({ url: 'https://lookaside.example.com', link: 'x', file: 'y' })));
    expect(event).toMatchObject({ text: JSON.stringify(change('standby', value({}))) });
    const again = split(change('standby', value({ url: 'https://lookaside.example.com/renewed' })));
    expect(again).toEqual([{ ...event, source: expect.anything() }]);
  });

  it('identifies a field by its account, its content and its time', () => {
    const keyOf = (members: object, value: unknown, field = 'account_alerts') => {
      const [event] = splitEvents(body({ ...entry(change(field, value)), ...members }), receivedAt);
      return event && 'key' in event ? event.key : undefined;
    };
    const keys = [
      keyOf({}, { a: 1 }),
      keyOf({ id: '2' }, { a: 1 }),
      keyOf({ time: 1_795_000_003 }, { a: 1 }),
      keyOf({}, { a: 2 }),
      keyOf({}, { a: 1 }, 'account_update'),
    ];
    expect(new Set(keys).size).toBe(5);
    expect(keyOf({}, { a: 1 })).toBe(keys[0]);
  });

  it.each([
    ['no object', 'x', 'no list of entries'],
    ['a list', [], 'no list of entries'],
    ['no entries', {}, 'no list of entries'],
    ['an entry without changes', body({}), 'an entry has no list of changes'],
    ['an entry that is nothing', body(null), 'an entry has no list of changes'],
    ['a change without a field', body(entry({})), 'a change has no field'],
    ['a change without a value', body(entry({ field: 'messages' })), 'no value'],
    ['a field without an account', body({ changes: [change('account_alerts', {})] }), 'no business account'],
    ['a field without a value', body(entry({ field: 'account_alerts' })), 'no value'],
    ['a field that nests too deep', body(entry(change('account_alerts', deep))), 'nests too deep'],
  ])('ignores %s and says why', (_, malformed, reason) => {
    expect(splitEvents(malformed, receivedAt)).toMatchObject([{ kind: 'ignored', reason }]);
  });

  it.each([
    ['a value that is not an object', change('messages', 'x')],
    ['a value without a number', change('messages', { messages: [text('wamid.1')] })],
    ['messages that are not a list', messages({ messages: {} })],
    ['a message without an id', messages({ messages: [{ type: 'text' }] })],
    ['a status without a state', messages({ statuses: [{ id: '1' }] })],
    ['an error without a code', messages({ errors: [{ title: 't' }] })],
    ['a call without an event', calls({ calls: [{ id: '1' }] })],
  ])('passes %s on as it is', (_, malformed) => {
    expect(textsOf(split(malformed))).toEqual([malformed]);
    expect(split(malformed)).toHaveLength(1);
  });

  it('passes on, as one event, what it cannot read beside what it can read', () => {
    const own = { contacts: 'x', statuses: null, mode: 'new', groups: [], novelties: [1] };
    const change = messages({ ...own, messages: [null, text('wamid.1'), 7] });
    const events = split(change, { field: 1 });
    expect(events).toMatchObject([
      { key: 'message:wamid.1' },
      { kind: 'field', field: 'messages', ...about, unreadOf: { value: change.value } },
      { kind: 'ignored', reason: 'a change has no field' },
    ]);
    const { statuses, ...rest } = own;
    expect(textsOf(events)).toEqual([messages({ ...rest, messages: [null, 7] })]);
  });

  it('finds nothing to pass on to workspaces beside lists that were read', () => {
    const read = { contacts: [kerry], messages: [text('wamid.1')], statuses: [], errors: null, groups: [] };
    expect(split(messages({ ...read, mode: 'new', context: { a: 1 } })).map(({ kind }) => kind)).toEqual(['message']);
    expect(split(messages({ messages: [], groups: [], mode: null }))).toEqual([]);
  });

  it('adds what stands beside the lists to each notification, behind its own members', () => {
    const beside = { conversation_context: { type: 'summary', summary: 'A change of an order' }, mode: 1, none: null };
    const failed = { ...status('wamid.2', 'failed'), errors: [{ code: 1, title: 't' }] };
    const error = { code: 130429, title: 'Rate limit hit' };
    const lists = { contacts: [kerry], messages: [text('wamid.1')], statuses: [failed], errors: [error] };
    const events = split(messages({ ...beside, ...lists }));
    expect(events.map((event) => 'notification' in event && JSON.stringify(event.notification))).toEqual([
      JSON.stringify({ contacts: [kerry], messages: [text('wamid.1')], ...beside }),
      JSON.stringify({ statuses: [failed], ...beside }),
      JSON.stringify({ errors: [error], ...beside }),
    ]);
    expect(events.map((event) => 'key' in event && event.key)).toEqual(
      split(messages(lists)).map((event) => 'key' in event && event.key),
    );
    const ringing = { id: 'wacid.1', type: 'call', status: 'RINGING' };
    expect(split(calls({ statuses: [ringing], ...beside }))).toMatchObject([
      { notification: { statuses: [ringing], ...beside } },
    ]);
  });

  it('adds no envelope, no list of another kind and no address of media', () => {
    const image = { id: '1', url: 'https://lookaside.example.com' };
    const value = { messages: [text('wamid.1')], calls: [], thread: { parts: [{ image }] } };
    expect(split(messages(value))).toMatchObject([{ kind: 'message' }]);
    expect(split(messages(value))[0]).toHaveProperty('notification', {
      contacts: [{ wa_id: kerry.wa_id }],
      messages: [text('wamid.1')],
      thread: { parts: [{ image: { id: '1' } }] },
    });
    const foreign = split(messages({ messages: [text('wamid.1')], calls: { id: 'wacid.1' } }));
    expect(foreign[0]).not.toHaveProperty('notification.calls');
    expect(textsOf(foreign)).toEqual([messages({ calls: { id: 'wacid.1' } })]);
  });

  it('passes on what stands beside lists from which nothing was read', () => {
    const beside = { conversation_context: { summary: 's' } };
    expect(textsOf(split(messages({ messages: [], ...beside })))).toEqual([messages(beside)]);
  });

  it('passes on the contacts that belong to none of the items', () => {
    const value = { contacts: [kerry, ana, 'x'], messages: [text('wamid.1'), text('wamid.2')] };
    const events = split(messages(value));
    expect(events.map(({ kind }) => kind)).toEqual(['message', 'message', 'field']);
    expect(textsOf(events)).toEqual([messages({ contacts: [ana, 'x'] })]);
    expect(textsOf(split(messages({ ...value, contacts: 'x' })))).toEqual([messages({ contacts: 'x' })]);
    expect(textsOf(split(messages({ errors: [{ code: 1 }], contacts: [kerry] })))).toEqual([
      messages({ contacts: [kerry] }),
    ]);
    const twice = { ...value, contacts: [kerry, structuredClone(kerry)] };
    expect(split(messages(twice)).map(({ kind }) => kind)).toEqual(['message', 'message']);
    const failed = { contacts: [kerry], statuses: [status('wamid.1', 'failed'), status('wamid.2', 'failed')] };
    expect(split(messages(failed)).map(({ kind }) => kind)).toEqual(['status', 'status']);
  });

  it('names the account of the value, too, because the entry may have the id of a portfolio', () => {
    const value = { event: 'PARTNER_ADDED', waba_info: { waba_id: '980198427658004' } };
    const accountsOf = (members: object) =>
      splitEvents(body({ ...entry(change('account_update', value)), ...members }), receivedAt);
    expect(accountsOf({})).toMatchObject([{ wabaIds: ['102290129340398', '980198427658004'] }]);
    expect(accountsOf({ id: '980198427658004' })).toMatchObject([{ wabaIds: ['980198427658004'] }]);
    expect(accountsOf({ id: undefined })).toMatchObject([{ wabaIds: ['980198427658004'] }]);
  });

  it.each([
    ['history', 'metadata'],
    ['messaging_handovers', 'recipient'],
    ['account_settings_update', 'phone_number_settings'],
  ])('names the number of %s, which its %s has', (field, member) => {
    expect(split(change(field, { [member]: metadata }))).toMatchObject([{ kind: 'field', ...about }]);
  });

  it('reads a thousand updates in one POST', () => {
    const contacts = Array.from({ length: 1000 }, (_, i) => ({ wa_id: `${i}`, profile: { name: `n${i}` } }));
    const all = contacts.map(({ wa_id }) => text(`wamid.${wa_id}`, { from: wa_id }));
    const events = split(messages({ contacts, messages: all }));
    expect(events.length).toBe(1000);
    expect(events[999]).toMatchObject({ key: 'message:wamid.999', notification: { contacts: [contacts[999]] } });
  });

  it('reads nesting of any depth that the parser accepts', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`);
    const error = { code: 1, title: deep, error_data: deep };
    const value = {
      contacts: [deep],
      messages: [{ ...text('wamid.1'), type: deep, image: deep, edit: deep }],
      errors: [error],
    };
    expect(split(messages(value)).map(({ kind }) => kind)).toEqual(['message', 'error']);
    expect(splitEvents(deep, receivedAt)).toMatchObject([{ kind: 'ignored' }]);
  });
});

describe('splitEvents, for any JSON', () => {
  /** Bodies that are valid down to some level and arbitrary below it. */
  const shaped = (of: Record<string, fc.Arbitrary<unknown>>) =>
    fc.oneof(fc.record(of, { requiredKeys: [] }), fc.jsonValue());
  const listed = (item: fc.Arbitrary<unknown>) => fc.oneof(fc.array(item, { maxLength: 3 }), fc.jsonValue());
  const names = fc.constantFrom(
    '__proto__',
    'constructor',
    'type',
    'errors',
    'timestamp',
    'id',
    'voice',
    'audio',
    'edit',
  );
  const item = fc.oneof(
    fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.constantFrom('voice', 'failed', '1'))),
    shaped({
      id: fc.string(),
      status: fc.constantFrom('failed', 'read'),
      event: fc.string(),
      code: fc.integer(),
      errors: fc.jsonValue(),
    }),
  );
  const value = shaped({
    metadata: shaped({ phone_number_id: fc.string() }),
    contacts: listed(shaped({ wa_id: fc.string(), user_id: fc.jsonValue() })),
    messages: listed(item),
    statuses: listed(item),
    errors: listed(item),
    calls: listed(item),
    flow_id: fc.string(),
    event: fc.string(),
  });
  const field = fc.constantFrom('messages', 'calls', 'flows', 'security');
  const anyBody = shaped({
    entry: listed(shaped({ id: fc.string(), time: fc.jsonValue(), changes: listed(shaped({ field, value })) })),
  });

  it.each(['%zz', ' ', '\u0000', '１２３', 'a#b', 'x'.repeat(129)])('takes "%s" for no id', (id) => {
    const message = { field: 'messages', value: { metadata: { phone_number_id: id }, messages: [text('m1')] } };
    const flow = { field: 'flows', value: { event: 'FLOW_STATUS_CHANGE', flow_id: id, new_status: 'BLOCKED' } };
    const found = splitEvents(body(entry(message, flow, messages({ messages: [text('m2')] }))), receivedAt);
    expect(found.map(({ kind }) => kind)).toEqual(['field', 'field', 'message']);
  });

  function expectComplete(event: UpstreamEvent): void {
    const id = /^[\w.:-]{1,128}$/;
    if (event.kind === 'ignored') expect(event.reason).not.toBe('');
    else expect(event.timestampMs).toBeGreaterThan(Date.UTC(2020));
    if ('key' in event) expect(event.key).not.toBe('');
    if (event.kind === 'flow') expect(event.flowWaId).toMatch(id);
    if (event.kind === 'field') expect(JSON.parse(event.text)).toHaveProperty('value');
    if (!('notification' in event)) return;
    expect(event.phoneNumberId).toMatch(id);
    expect(Object.values(event.notification).every((list) => Array.isArray(list))).toBe(true);
  }

  it('never throws, and every event it returns is complete', () => {
    fc.assert(
      fc.property(anyBody, (any) => {
        const parsed = JSON.parse(JSON.stringify(any));
        for (const event of splitEvents(parsed, receivedAt)) expectComplete(event);
        expect(splitEvents(parsed, receivedAt)).toEqual(splitEvents(structuredClone(parsed), receivedAt));
      }),
      { numRuns: 500 },
    );
  });

  it('returns the same events, however they are batched and ordered', () => {
    const occurrence = fc.record({
      kind: fc.constantFrom('message', 'read', 'failed', 'error', 'connect', 'RINGING'),
      id: fc.nat(),
      user: fc.nat(3),
      named: fc.constantFrom('phone', 'id'),
      batch: fc.nat(2),
    });
    const occurrences = fc.uniqueArray(occurrence, { selector: ({ kind, id }) => `${kind} ${id}`, maxLength: 12 });

    fc.assert(
      fc.property(occurrences, (list) => {
        const apart = list.flatMap((one) => splitEvents(body(entry(...changesHolding([one]))), receivedAt));
        const [first = [], ...others] = Map.groupBy(list.toReversed(), ({ batch }) => batch).values();
        const entries = [entry(...changesHolding(first)), entry(...others.flatMap(changesHolding))];
        expect(asSet(splitEvents(body(...entries), receivedAt))).toEqual(asSet(apart));
      }),
      { numRuns: 300 },
    );

    type Occurrence = typeof occurrence extends fc.Arbitrary<infer T> ? T : never;

    function changesHolding(list: readonly Occurrence[]) {
      const of = (...kinds: string[]) => list.filter(({ kind }) => kinds.includes(kind));
      const owner = ({ named, user }: Occurrence, phone: string, id: string) =>
        named === 'phone' ? { [phone]: `${user}` } : { [id]: `US.${user}` };
      const users = [...new Set(of('message', 'read').map(({ user }) => user))];
      return [
        messages({
          contacts: users.map((user) => ({ profile: { name: `n${user}` }, wa_id: `${user}`, user_id: `US.${user}` })),
          messages: of('message').map((one) => text(`m${one.id}`, owner(one, 'from', 'from_user_id'))),
          statuses: of('read', 'failed').map((one) =>
            status(`s${one.id}`, one.kind, owner(one, 'recipient_id', 'recipient_user_id')),
          ),
          errors: of('error').map(({ id }) => ({ code: id, title: 't' })),
        }),
        calls({
          calls: of('connect').map(({ id, kind }) => ({ id: `c${id}`, event: kind })),
          statuses: of('RINGING').map(({ id, kind }) => status(`c${id}`, kind)),
        }),
      ];
    }

    function asSet(events: ReturnType<typeof splitEvents>) {
      return events.map((event) => JSON.stringify({ ...event, change: undefined, source: undefined })).sort();
    }
  });
});

describe('accountsNamed', () => {
  it('finds the accounts of entries, and of partners in values', () => {
    const partner = change('account_update', { waba_info: { waba_id: 7 } });
    expect(accountsNamed(body(entry(partner, messages({})), { id: '2' }, { id: '2' }))).toEqual([
      '102290129340398',
      '7',
      '2',
    ]);
  });

  it('finds a bounded number of them, and none in what is malformed', () => {
    const many = Array.from({ length: 1_000 }, (_, id) => ({ id: String(id), changes: [] }));
    expect(accountsNamed(body(...many))).toHaveLength(10);
    for (const malformed of [undefined, null, [], {}, { entry: {} }, body(null, 1, { changes: [null] })]) {
      expect(accountsNamed(malformed)).toEqual([]);
    }
  });
});
