import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { deliveryId } from '#shared/delivery/delivery.ts';
import { type FirstAttempt, parseMessage } from '#shared/delivery/notification.ts';
import {
  type DeliverySettings,
  newTarget,
  type PhoneNumber,
  type Subscriber,
  type Target,
  type TargetRecord,
  workspaceSubscriber,
} from '#shared/webhooks/subscriber.ts';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { fakeIngestion } from '#support/fakes/fake-ingestion.ts';
import type { KnownChange, NotificationEvent } from './event-items.ts';
import { type FieldEvent, splitEvents, type UpstreamEvent } from './events.ts';
import type { FlowEvent } from './flow-events.ts';
import { ingest } from './ingest.ts';

const now = Date.UTC(2026, 0, 31);
const all: Record<Target, Partial<TargetRecord>> = {
  webhook: { url: 'https://a.example.com' },
  secondary_webhook: { url: 'https://b.example.com' },
  calls_webhook: { url: 'https://c.example.com' },
};
const onlyWebhook = { webhook: all.webhook };
const number: PhoneNumber = {
  id: newId(),
  workspace: newId(),
  phone_number_id: '200000000000001',
  display_phone_number: '+15550100001',
  active: true,
  calling_enabled: true,
  created_at: 0,
};

/** The settings of a subscriber with what is set for these targets. */
function settingsOf<S extends Subscriber>(subscriber: S, targets: Partial<Record<Target, Partial<TargetRecord>>>) {
  const record = (target: Target): TargetRecord => ({ ...newTarget(), ...targets[target] });
  const records = {
    webhook: record('webhook'),
    secondary_webhook: record('secondary_webhook'),
    calls_webhook: record('calls_webhook'),
  };
  return { subscriber, targets: records } satisfies DeliverySettings;
}

let logged: LogEntry[];
beforeEach(() => {
  logged = captureLog();
});

/** The change of the upstream that an event came in. */
const messagesChange: KnownChange = {
  field: 'messages',
  value: { a: 'secret words' },
  entry: { id: '1' },
  receivedAt: now,
};

function event(members: Partial<NotificationEvent> = {}): NotificationEvent {
  return {
    kind: 'message',
    phoneNumberId: number.phone_number_id,
    notification: { contacts: [], messages: [{ id: 'wamid.1', text: { body: 'secret words' } }] },
    key: 'message:wamid.1',
    timestampMs: now - 1_000,
    change: messagesChange,
    source: { list: 'messages', item: { id: 'wamid.1' } },
    ...members,
  };
}

async function take(
  events: readonly UpstreamEvent[],
  numbers: Parameters<typeof fakeIngestion>[0] = [settingsOf(number, all)],
) {
  const ingestion = fakeIngestion(numbers, now);
  await ingest(events, ingestion.context);
  return ingestion;
}

describe('a notification', () => {
  it('becomes a message that `deliver-notifications` can read, with the exact text to send', async () => {
    const { queued } = await take([event()], [settingsOf(number, onlyWebhook)]);
    expect(queued).toEqual([
      {
        task: 'deliver',
        subscriber: number.id,
        target: 'webhook',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: 'message',
        payload: { text: '{"contacts":[],"messages":[{"id":"wamid.1","text":{"body":"secret words"}}]}' },
        created_at: now,
        target_version: 0,
      },
    ]);
    expect(queued.map((message) => parseMessage(JSON.stringify(message)))).toEqual(queued);
  });

  it.each([
    ['message', ['webhook', 'secondary_webhook']],
    ['status', ['webhook', 'secondary_webhook']],
    ['error', ['webhook', 'secondary_webhook']],
    ['call', ['calls_webhook']],
  ] as const)('of the kind %s is sent to %j', async (kind, targets) => {
    const { queued } = await take([event({ kind })]);
    expect(queued.map(({ target }) => target)).toEqual(targets);
    expect(new Set(queued.map(({ id }) => id)).size).toBe(targets.length);
  });

  it('names the version of its target that was read for it', async () => {
    const webhook = { ...all.webhook, version: 7 };
    const secondary_webhook = { ...all.secondary_webhook, version: 8 };
    const { queued } = await take([event()], [settingsOf(number, { webhook, secondary_webhook })]);
    expect(queued.map(({ target, target_version }) => [target, target_version])).toEqual([
      ['webhook', 7],
      ['secondary_webhook', 8],
    ]);
  });

  it('is as old as its request, which came before the settings were read', async () => {
    const { queued, context } = fakeIngestion([settingsOf(number, onlyWebhook)], now);
    let time = now;
    const slowly = async <T>(result: Promise<T>) => {
      time += 2_000;
      return result;
    };
    await ingest([event()], {
      ...context,
      now: () => time,
      findNumber: (id) => slowly(context.findNumber(id)),
      payloads: { ...context.payloads, keep: (...kept) => slowly(context.payloads.keep(...kept)) },
    });
    expect(time).toBe(now + 4_000);
    expect(queued.map(({ created_at }) => created_at)).toEqual([now]);
  });

  it('is not sent without a URL', async () => {
    const { queued } = await take([event(), event({ kind: 'call' })], [settingsOf(number, {})]);
    expect(queued).toEqual([]);
  });

  it('is not sent to a target whose events exclude it', async () => {
    const narrowed = {
      webhook: { ...all.webhook, events: ['statuses'] },
      secondary_webhook: { ...all.secondary_webhook, events: ['messages'] },
      calls_webhook: { ...all.calls_webhook, events: [] },
    };
    const { queued } = await take([event(), event({ kind: 'call' })], [settingsOf(number, narrowed)]);
    expect(queued.map(({ target }) => target)).toEqual(['secondary_webhook']);
  });

  it('of what staff wrote in another app is sent only to targets that choose their events', async () => {
    const notification = { contacts: [], message_echoes: [{ id: 'wamid.1', type: 'text' }] };
    const echo = event({ kind: 'echo', notification, key: 'echo:wamid.1' });
    const sentTo = async (events?: string[]) => {
      const webhook = { ...all.webhook, ...(events && { events }) };
      const { queued } = await take([echo], [settingsOf(number, { ...all, webhook })]);
      return queued.map(({ target }) => target);
    };
    expect(await sentTo()).toEqual([]);
    expect(await sentTo(['messages'])).toEqual([]);
    expect(await sentTo(['messages', 'message_echoes'])).toEqual(['webhook']);
    expect(await sentTo(['message_echoes.text'])).toEqual(['webhook']);
    expect(await sentTo(['message_echoes.image'])).toEqual([]);
  });

  it('has the same id each time it arrives, and another id for each event and number', async () => {
    const other = { ...number, id: newId(), phone_number_id: '2' };
    const numbers = [settingsOf(number, onlyWebhook), settingsOf(other, onlyWebhook)];
    const first = await take([event(), event({ key: 'message:wamid.2' }), event({ phoneNumberId: '2' })], numbers);
    const again = await take([event({ phoneNumberId: '2' }), event()], numbers);
    const [one, two, three] = first.queued.map(({ id }) => id);
    expect(new Set([one, two, three]).size).toBe(3);
    expect(again.queued.map(({ id }) => id)).toEqual([three, one]);
  });

  it('that is too large for a message is stored in the bucket, once for each target', async () => {
    const text = 'x'.repeat(300_000);
    const { queued, blobs } = await take([event({ notification: { contacts: [], messages: [{ text }] } })]);
    expect(queued.map(({ payload }) => payload)).toEqual(
      queued.map(({ id }) => ({ blob: `notifications/${number.id}/${id}.json` })),
    );
    expect([...blobs.values()].map((body) => JSON.parse(body).messages[0].text)).toEqual([text, text]);
  });
});

describe("a notification in Meta's format", () => {
  const url = 'https://d.example.com';
  const change: KnownChange = {
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550100001', phone_number_id: number.phone_number_id },
      contacts: [{ wa_id: '1', profile: { name: 'Zoë' } }, { wa_id: '2' }],
      messages: [
        {
          from: '1',
          id: 'wamid.1',
          timestamp: '1795000000',
          type: 'voice',
          voice: { id: '7', url: 'https://x.example' },
        },
        { from: '2', id: 'wamid.2', timestamp: '1795000000', type: 'text', text: { body: 'olá' } },
      ],
    },
    entry: { id: '100', time: 1, changes: [] },
    receivedAt: now,
  };
  const body = (of: KnownChange) => ({ entry: [{ ...of.entry, changes: [{ field: of.field, value: of.value }] }] });
  const textOf = ({ payload }: FirstAttempt) => ('text' in payload ? payload.text : '');

  it('goes to targets of that format, while others get the usual one, each under an id of its own', async () => {
    const settings = settingsOf(number, { webhook: all.webhook, secondary_webhook: { url, format: 'meta' } });
    Object.assign(settings.targets, { 'crm.1': { ...newTarget(), url, format: 'meta' } });
    const { queued } = await take(splitEvents(body(change), now), [settings]);
    expect(queued.map(({ target, format }) => [target, format])).toEqual([
      ['webhook', undefined],
      ['secondary_webhook', 'meta'],
      ['crm.1', 'meta'],
      ['webhook', undefined],
      ['secondary_webhook', 'meta'],
      ['crm.1', 'meta'],
    ]);
    expect(new Set(queued.map(({ id }) => id)).size).toBe(6);
    const [usual, ofSecond, ofNamed] = queued.map(textOf);
    expect(usual).toContain('"type":"audio"');
    expect(ofNamed).toBe(ofSecond);
    expect(ofNamed).toContain('Zo\\u00eb');
    expect(JSON.parse(String(ofNamed))).toEqual({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '100',
          time: 1,
          changes: [
            {
              field: 'messages',
              value: {
                ...change.value,
                contacts: [{ wa_id: '1', profile: { name: 'Zoë' } }],
                messages: [{ from: '1', id: 'wamid.1', timestamp: '1795000000', type: 'voice', voice: { id: '7' } }],
              },
            },
          ],
        },
      ],
    });
  });

  it('about a call goes to calls_webhook, and to other targets only if they ask for it', async () => {
    const call = { id: 'wacid.1', event: 'connect', from: '1', timestamp: '1795000000' };
    const ringing = { id: 'wacid.1', type: 'call', status: 'RINGING', timestamp: '1795000000' };
    const { metadata } = change.value;
    const calls = { ...change, field: 'calls', value: { metadata, calls: [call], statuses: [ringing] } };
    const settings = settingsOf(number, {
      webhook: { url, format: 'meta' },
      secondary_webhook: { url, events: ['calls'] },
      calls_webhook: { url, format: 'meta' },
    });
    Object.assign(settings.targets, {
      'all.1': { ...newTarget(), url },
      'some.1': { ...newTarget(), url, events: ['calls.connect', 'statuses'] },
      'every.1': { ...newTarget(), url, format: 'meta', events: ['calls'] },
    });
    const { queued } = await take(splitEvents(body(calls), now), [settings]);
    expect(queued.map(({ target }) => target)).toEqual([
      ...['calls_webhook', 'some.1', 'every.1'],
      ...['calls_webhook', 'every.1'],
    ]);
    expect(JSON.parse(textOf(queued[0] as FirstAttempt)).entry[0].changes[0].value).toEqual({
      metadata,
      calls: [call],
    });
  });

  it('goes to a workspace with a field as the platform sent it', async () => {
    const workspace = settingsOf(workspaceSubscriber({ id: newId() }), { webhook: { url, format: 'meta' } });
    const fake = fakeIngestion([], now, undefined, { '100': [workspace] });
    const field = { ...change, field: 'account_update', value: { event: 'VERIFIED' } };
    await ingest(splitEvents(body(field), now), fake.context);
    expect(fake.queued).toMatchObject([{ kind: 'field', format: 'meta' }]);
    expect(JSON.parse(textOf(fake.queued[0] as FirstAttempt)).entry).toEqual([
      { id: '100', time: 1, changes: [{ field: 'account_update', value: { event: 'VERIFIED' } }] },
    ]);
  });
});

describe('what an app signs for a workspace of another app', () => {
  const foreign = (fake: ReturnType<typeof fakeIngestion>) => ({
    ...fake.context,
    isFor: async (workspace: string | undefined) => workspace !== number.workspace,
  });
  const another: PhoneNumber = { ...number, id: newId(), workspace: newId(), phone_number_id: '200000000000009' };

  it('is dropped and logged, while the rest of the request is delivered', async () => {
    const fake = fakeIngestion([settingsOf(number, all), settingsOf(another, onlyWebhook)], now);
    const field: FieldEvent = {
      kind: 'field',
      field: 'messages',
      wabaIds: ['1'],
      phoneNumberId: number.phone_number_id,
      unreadOf: messagesChange,
      text: '{}',
      source: messagesChange,
      key: 'f',
      timestampMs: now,
    };
    const events = [event(), event({ key: 'b' }), field, event({ phoneNumberId: another.phone_number_id })];
    await ingest(events, foreign(fake));
    expect(fake.queued.map(({ subscriber }) => subscriber)).toEqual([another.id]);
    expect(fake.accountLookUps).toEqual([]);
    expect(logged).toEqual([
      {
        level: 'warn',
        event: 'event.wrong-app',
        phone_number_id: number.phone_number_id,
        workspace: number.workspace,
      },
    ]);
  });

  it('is a field: only the workspaces of the app get it', async () => {
    const [ours, others] = [number.workspace, newId()].map((id) =>
      settingsOf(workspaceSubscriber({ id }), onlyWebhook),
    ) as [DeliverySettings, DeliverySettings];
    const fake = fakeIngestion([], now, undefined, { '1': [ours, others] });
    const about = { kind: 'field', field: 'x', wabaIds: ['1'], source: messagesChange } as const;
    const field: FieldEvent = { ...about, text: '{}', key: 'f', timestampMs: now };
    await ingest([field], foreign(fake));
    expect(fake.queued.map(({ subscriber }) => subscriber)).toEqual([others.subscriber.id]);
    expect(logged).toMatchObject([{ event: 'event.wrong-app', waba_id: '1', workspace: number.workspace }]);
  });

  it('is the status of a Flow: nobody follows it', async () => {
    const fake = fakeIngestion([], now);
    const report: FlowEvent = {
      kind: 'flow',
      flowWaId: '7',
      event: 'FLOW_STATUS_CHANGE',
      newStatus: 'BLOCKED',
      timestampMs: now,
    };
    await ingest([report], { ...fake.context, isFor: async () => false });
    expect([fake.followed, fake.announced]).toEqual([[], []]);
    await ingest([report], fake.context);
    expect(fake.followed).toHaveLength(1);
  });
});

describe('the note of an unknown number', () => {
  const [ours, theirs] = [newId(), newId()];
  const accounts = {
    'of the app': [settingsOf(workspaceSubscriber({ id: ours }), {})],
    'of another app': [settingsOf(workspaceSubscriber({ id: theirs }), {})],
    shared: [theirs, ours].map((id) => settingsOf(workspaceSubscriber({ id }), {})),
  };

  /** The unknown numbers that are noted if the app signs an event for one in the name of each account. */
  async function notedFor(names: readonly string[], app: string | undefined) {
    const { context, noted } = fakeIngestion([], now, undefined, accounts);
    const events = names.map((name, index) => {
      const change = { ...messagesChange, entry: { id: name.replaceAll(' ', '-') } };
      return event({ phoneNumberId: String(index), change });
    });
    const listWorkspaces = (id: string) => context.businessAccounts.listWorkspaces(id.replaceAll('-', ' '));
    const isFor = async (workspace: string | undefined) => workspace === app;
    await ingest(events, { ...context, businessAccounts: { listWorkspaces }, isFor });
    return noted.map((note) => 'waba_id' in note && note.waba_id?.replaceAll('-', ' '));
  }

  it('is written only for a business account of a workspace that uses the app', async () => {
    expect(await notedFor([...Object.keys(accounts), 'of nobody'], ours)).toEqual(['of the app', 'shared']);
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'event.wrong-app', waba_id: 'of-another-app', workspace: theirs }),
    );
  });

  it('is written for a business account that no workspace has only if the app is that of the deployment', async () => {
    expect(await notedFor(['of another app', 'of nobody'], undefined)).toEqual(['of nobody']);
    expect(await notedFor(['of nobody'], ours)).toEqual([]);
    expect(logged).toContainEqual({ level: 'warn', event: 'event.wrong-app', waba_id: 'of-nobody' });
  });

  it('is not written in the name of the first of two accounts for an event of the second', async () => {
    const { context, noted } = fakeIngestion([], now, undefined, { '1': [], '2': accounts['of the app'] });
    const of = (id: string) => event({ phoneNumberId: '7', change: { ...messagesChange, entry: { id } } });
    await ingest([of('1'), of('2')], { ...context, isFor: async (workspace) => workspace === ours });
    expect(noted).toMatchObject([{ phone_number_id: '7', waba_id: '2' }]);
  });
});

describe('a field that belongs to no number', () => {
  const field = (members: Partial<FieldEvent> = {}): FieldEvent => ({
    kind: 'field',
    field: 'account_alerts',
    wabaIds: ['1'],
    text: '{"field":"account_alerts","value":{}}',
    source: { ...messagesChange, field: 'account_alerts', value: {} },
    key: 'field-content:a',
    timestampMs: now - 1_000,
    ...members,
  });
  const withWebhook = (members: Partial<TargetRecord> = {}, id = newId()) =>
    settingsOf(workspaceSubscriber({ id }), { webhook: { ...all.webhook, version: 3, ...members } });

  async function takeFor(workspaces: readonly DeliverySettings[], events: readonly UpstreamEvent[]) {
    const ingestion = fakeIngestion([settingsOf(number, all)], now, undefined, { '1': workspaces });
    await ingest(events, ingestion.context);
    return ingestion;
  }

  it('goes to every workspace of its business account, with an id of its own for each', async () => {
    const workspaces = [withWebhook(), withWebhook()];
    const { queued } = await takeFor(workspaces, [field()]);
    expect(queued).toEqual(
      workspaces.map(({ subscriber: { id: subscriber } }) => ({
        task: 'deliver',
        subscriber,
        target: 'webhook',
        id: deliveryId({ subscriber, target: 'webhook', key: 'field-content:a', timestampMs: now - 1_000 }),
        kind: 'field',
        payload: { text: '{"field":"account_alerts","value":{}}' },
        created_at: now,
        target_version: 3,
      })),
    );
    expect(queued.map((message) => parseMessage(JSON.stringify(message)))).toEqual(queued);
  });

  it('goes to the workspace of the number that it names, and to no other of the account', async () => {
    const [ours, theirs] = [withWebhook({}, number.workspace), withWebhook()];
    const { queued } = await takeFor([theirs, ours], [field({ phoneNumberId: number.phone_number_id })]);
    expect(queued.map(({ subscriber }) => subscriber)).toEqual([number.workspace]);
  });

  it('reads the workspaces of each business account once', async () => {
    const { accountLookUps } = await takeFor([], [field(), field({ key: 'b' }), field({ wabaIds: ['2', '1'] })]);
    expect(accountLookUps).toEqual(['1', '2']);
  });

  it('is not sent to a workspace whose events exclude it', async () => {
    const events = ['account_update', 'flow'];
    const { queued } = await takeFor([withWebhook({ events })], [field(), field({ field: 'flow' })]);
    expect(queued).toHaveLength(1);
  });

  it('is only logged if no workspace with the account has a webhook', async () => {
    const { queued } = await takeFor([], [field()]);
    expect(queued).toEqual([]);
    expect(logged).toEqual([{ level: 'info', event: 'event.no-webhook', waba_id: '1' }]);
  });

  it('is stored in the bucket if it is large', async () => {
    const { queued, blobs } = await takeFor([withWebhook()], [field({ text: 'x'.repeat(300_000) })]);
    expect(queued.map(({ payload }) => payload)).toEqual([{ blob: [...blobs.keys()][0] }]);
  });

  it('goes to the workspaces of all business accounts that it names, once to each', async () => {
    const [first, both, second] = [withWebhook(), withWebhook(), withWebhook()];
    const { context, queued } = fakeIngestion([], now, undefined, { '1': [first, both], '2': [both, second] });
    await ingest([field({ wabaIds: ['1', '2'] })], context);
    await ingest([field({ wabaIds: ['3', '2'] })], context);
    const ids = [first, both, second, both, second].map(({ subscriber }) => subscriber.id);
    expect(queued.map(({ subscriber }) => subscriber)).toEqual(ids);
    expect(logged).toEqual([]);
  });

  it('is the change of a number that is not known here, as one notification', async () => {
    const unread = field({ phoneNumberId: 'x', unreadOf: messagesChange });
    const events = [event({ phoneNumberId: 'x' }), event({ phoneNumberId: 'x', key: 'b' }), unread];
    const workspace = withWebhook();
    const { queued } = await takeFor([workspace], events);
    const text = '{"field":"messages","value":{"a":"secret words"}}';
    expect(queued).toMatchObject([{ subscriber: workspace.subscriber.id, kind: 'field', payload: { text } }]);
    expect((await takeFor([workspace], events)).queued).toEqual(queued);
    expect(JSON.stringify(logged)).not.toContain('secret words');
  });

  it('is what cannot be read in the change of a number, unless the number is switched off', async () => {
    const events = [field({ phoneNumberId: number.phone_number_id, unreadOf: messagesChange })];
    const workspace = withWebhook({}, number.workspace);
    expect((await takeFor([workspace], events)).queued).toHaveLength(1);
    const off = fakeIngestion([settingsOf({ ...number, active: false }, all)], now, undefined, { '1': [workspace] });
    await ingest([event(), ...events], off.context);
    expect(off.queued).toEqual([]);
    expect(off.accountLookUps).toEqual([]);
  });

  it('costs requests that are only about numbers no read', async () => {
    expect((await takeFor([withWebhook()], [event()])).accountLookUps).toEqual([]);
  });
});

describe('a request', () => {
  it('reads the settings of each number once', async () => {
    const { lookUps } = await take([
      event(),
      event({ key: 'b' }),
      event({ phoneNumberId: 'x' }),
      event({ phoneNumberId: 'x' }),
    ]);
    expect(lookUps.sort()).toEqual([number.phone_number_id, 'x'].sort());
  });

  it.each([
    ['not known', []],
    ['not active', [settingsOf({ ...number, active: false }, all)]],
  ])('about a number that is %s is logged, without its contents', async (_, numbers) => {
    const { queued } = await take([event()], numbers);
    expect(queued).toEqual([]);
    const unknown = { level: 'warn', event: 'event.unknown-number', phone_number_id: number.phone_number_id };
    const noWorkspace = { level: 'info', event: 'event.no-webhook', waba_id: '1' };
    expect(logged).toEqual(numbers.length === 0 ? [unknown, noWorkspace] : [unknown]);
  });

  it('counts ignored items in the log', async () => {
    const ignored = { kind: 'ignored', field: 'history', reason: 'no value' } as const;
    await take([ignored, event(), ignored, { kind: 'ignored', reason: 'no list of entries' }]);
    expect(logged).toEqual([
      { level: 'info', event: 'event.ignored', what: 'history no value', count: 2 },
      { level: 'info', event: 'event.ignored', what: ' no list of entries', count: 1 },
    ]);
    expect(JSON.stringify(logged)).not.toContain('secret words');
  });

  it('succeeds without an item that nests too deep to be written', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const { queued } = await take(
      [event({ key: 'deep', notification: { contacts: [], messages: [{ deep }] } }), event()],
      [settingsOf(number, onlyWebhook)],
    );
    expect(queued).toHaveLength(1);
    expect(logged).toEqual([{ level: 'error', event: 'event.too-deep', kind: 'message', subscriber: number.id }]);
  });

  it('fails if the queue does not accept everything, or if a body cannot be stored', async () => {
    const failing = () => Promise.reject(new Error('no'));
    const { context } = fakeIngestion([settingsOf(number, all)], now);
    await expect(ingest([event()], { ...context, queue: { send: failing } })).rejects.toThrow('no');
    await expect(ingest([event()], { ...context, payloads: { ...context.payloads, keep: failing } })).rejects.toThrow(
      'no',
    );
    await expect(ingest([event()], { ...context, findNumber: failing })).rejects.toThrow('no');
    await expect(ingest([flow({})], { ...context, announce: failing })).rejects.toThrow('no');
    await expect(
      ingest([flow({})], { ...context, flows: { ...context.flows, followUpstreamStatus: failing } }),
    ).rejects.toThrow('no');
  });
});

function flow(members: Partial<FlowEvent>): FlowEvent {
  return {
    kind: 'flow',
    flowWaId: '44',
    event: 'FLOW_STATUS_CHANGE',
    oldStatus: 'PUBLISHED',
    newStatus: 'THROTTLED',
    timestampMs: now,
    ...members,
  };
}

describe('an event of a Flow', () => {
  it.each(['THROTTLED', 'BLOCKED', 'PUBLISHED', 'DEPRECATED', 'DRAFT'])(
    'changes its status to %s',
    async (newStatus) => {
      const { followed, queued } = await take([flow({ newStatus })]);
      expect(followed).toEqual([{ waId: '44', status: newStatus, at: now }]);
      expect(queued).toEqual([]);
    },
  );

  it('about its creation, or without a status, changes nothing', async () => {
    const { oldStatus: _, ...created } = flow({ newStatus: 'DRAFT' });
    const { newStatus: __, ...warning } = flow({ event: 'FLOW_VERSION_EXPIRY_WARNING' });
    expect((await take([created, warning])).followed).toEqual([]);
  });
});
