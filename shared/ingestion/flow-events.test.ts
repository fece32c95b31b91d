import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutOfTimeError } from '#shared/base/concurrency.ts';
import { newId } from '#shared/base/ids.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import { newTarget } from '#shared/webhooks/subscriber.ts';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { phoneNumber as number } from '#support/fakes/fake-flow-context.ts';
import { fakeIngestion } from '#support/fakes/fake-ingestion.ts';
import { fakeSentFlows, newSentFlow } from '#support/fakes/fake-sent-flows.ts';
import type { NotificationEvent } from './event-items.ts';
import { ingest } from './ingest.ts';

const now = Date.UTC(2026, 0, 31);
const targets = { webhook: newTarget(), secondary_webhook: newTarget(), calls_webhook: newTarget() };
const settings = {
  subscriber: number,
  targets: { ...targets, webhook: { ...newTarget(), url: 'https://a.example.com' } },
};
const flow = newId();
const sentFlow = (changes: Partial<SentFlow> = {}) => newSentFlow({ flow, workspace: number.workspace, ...changes });

let logged: LogEntry[];
beforeEach(() => {
  logged = captureLog();
});
afterEach(() => void vi.useRealTimers());

/** The final response of a Flow. */
function completion(
  response: unknown,
  members: Partial<NotificationEvent> = {},
  others: object = {},
): NotificationEvent {
  const response_json = typeof response === 'string' ? response : JSON.stringify(response);
  const id = newId();
  const nfm_reply = { name: 'flow', body: 'Sent', response_json };
  return {
    kind: 'message',
    phoneNumberId: number.phone_number_id,
    notification: {
      contacts: [],
      messages: [{ id, ...others, type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } }],
    },
    key: `message:${id}`,
    timestampMs: now - 1_000,
    change: { field: 'messages', value: {}, entry: { id: '1' }, receivedAt: now },
    source: { list: 'messages', item: {} },
    ...members,
  };
}

describe('the final response of a Flow that this service sent', () => {
  it('names the Flow, the message and the contact, and counts as completed', async () => {
    const { token, sent } = sentFlow();
    const sentFlows = fakeSentFlows([sent]);
    const { context, queued } = fakeIngestion([settings], now, sentFlows);
    const event = completion({ flow_token: token, name: 'Zoë' });
    await ingest([event], context);
    expect(queued).toMatchObject([
      {
        sent_flow: { flow, message: 'wamid.SENT', contact: '16505551234' },
        payload: { text: JSON.stringify(event.notification) },
      },
    ]);
    expect(sentFlows.steps).toMatchObject([{ token_hash: sent.token_hash, stages: ['opened', 'completed'] }]);
  });

  it('names the message that it replies to, if the response of the sending was lost', async () => {
    const { token, sent } = sentFlow({ stage: 'prepared' });
    const { message: _, ...unknown } = sent;
    const sentFlows = fakeSentFlows([unknown]);
    const { context, queued } = fakeIngestion([settings], now, sentFlows);
    await ingest([completion({ flow_token: token }, {}, { context: { id: 'wamid.LOST' } })], context);
    expect(queued).toMatchObject([{ sent_flow: { message: 'wamid.LOST' } }]);
    expect(sentFlows.records.get(sent.token_hash)).toMatchObject({ stage: 'completed', message: 'wamid.LOST' });
  });

  it.each([{}, { flow_token: 'of the endpoint' }])(
    'without a token of ours (%j) counts once for the message that it replies to',
    async (response) => {
      const { sent } = sentFlow();
      const sentFlows = fakeSentFlows([sent]);
      const event = completion(response, {}, { context: { id: 'wamid.SENT' } });
      const { context, queued } = fakeIngestion([settings], now, sentFlows);
      for (let time = 0; time < 2; time++) await ingest([event], context);
      expect(queued).toMatchObject([{ sent_flow: { flow } }, { sent_flow: { flow } }]);
      expect(sentFlows.steps).toMatchObject([{ token_hash: sent.token_hash, stages: ['opened', 'completed'] }]);
    },
  );

  it('counts once, however often the upstream sends it', async () => {
    const { token, sent } = sentFlow();
    const sentFlows = fakeSentFlows([sent]);
    const event = completion({ flow_token: token });
    for (let time = 0; time < 3; time++) {
      const { context, queued } = fakeIngestion([settings], now, sentFlows);
      await ingest([event, event], context);
      expect(queued).toMatchObject([{ sent_flow: { flow } }, { sent_flow: { flow } }]);
    }
    expect(sentFlows.steps).toHaveLength(1);
  });

  it('counts even if the number has no webhook, and after the token has expired', async () => {
    const { token, sent } = sentFlow({ expires_at: now - 1 });
    const sentFlows = fakeSentFlows([sent]);
    const silent = { subscriber: number, targets };
    await ingest([completion({ flow_token: token })], fakeIngestion([silent], now, sentFlows).context);
    expect(sentFlows.steps).toHaveLength(1);
  });

  it.each<[string, (token: string) => string, Partial<SentFlow>]>([
    ['was sent from another workspace', (token) => token, { workspace: newId() }],
    ['has an altered token', (token) => token.replace(/.$/, (last) => (last === '0' ? '1' : '0')), {}],
    ['was forgotten', (token) => token, { expires_at: now - 31 * 24 * 3600_000 }],
  ])('is delivered without a reference if it %s', async (_, shown, changes) => {
    const { token, sent } = sentFlow(changes);
    const sentFlows = fakeSentFlows([sent]);
    const { context, queued } = fakeIngestion([settings], now, sentFlows);
    await ingest([completion({ flow_token: shown(token) })], context);
    expect(queued).toHaveLength(1);
    expect(queued[0]).not.toHaveProperty('sent_flow');
    expect(sentFlows.steps).toEqual([]);
  });

  it.each([{ flow_token: 'unused' }, { flow_token: 7 }, {}, 'no JSON', '[]', 'null', '"msgf_"'])(
    'is not looked for by %j',
    async (response) => {
      const sentFlows = fakeSentFlows();
      const { context, queued } = fakeIngestion([settings], now, sentFlows);
      await ingest([completion(response)], context);
      expect([queued.length, sentFlows.lookUps]).toEqual([1, []]);
    },
  );

  describe('whose record cannot be read', () => {
    const { token, sent } = sentFlow();
    const unreadable = () => Promise.reject(new Error('table gone'));

    it('is read again', async () => {
      const { store, steps } = fakeSentFlows([sent]);
      const find = vi.fn(store.find).mockImplementationOnce(unreadable);
      const { context, queued } = fakeIngestion([settings], now);
      await ingest([completion({ flow_token: token })], { ...context, sentFlows: { ...store, find } });
      expect(queued).toMatchObject([{ sent_flow: { flow } }]);
      expect(steps).toHaveLength(1);
    });

    it('is delivered without a reference, however old it is, and comes again to be counted', async () => {
      const { context, queued } = fakeIngestion([settings], now);
      const sentFlows = { ...fakeSentFlows().store, find: unreadable };
      for (const timestampMs of [now, now - 3600_000]) {
        const event = completion({ flow_token: token }, { timestampMs });
        await expect(ingest([event], { ...context, sentFlows })).rejects.toThrow('table gone');
      }
      expect(queued.map(({ sent_flow }) => sent_flow)).toEqual([undefined, undefined]);
      const { id: subscriber } = settings.subscriber;
      const line = { level: 'error', event: 'event.sent-flow-not-found', subscriber };
      expect(logged).toContainEqual(expect.objectContaining(line));
      expect(JSON.stringify(logged)).not.toContain(token);
    });

    it('does not delay the notifications for long', async () => {
      vi.useFakeTimers();
      const { context, queued } = fakeIngestion([settings], now);
      const sentFlows = { ...fakeSentFlows().store, find: silent };
      const ingested = ingest([completion({ flow_token: token }), message()], { ...context, sentFlows });
      const rejected = expect(ingested).rejects.toThrow(OutOfTimeError);
      await vi.advanceTimersByTimeAsync(3_000);
      await rejected;
      expect(queued).toHaveLength(2);
      const line = { event: 'event.sent-flow-not-found', subscriber: settings.subscriber.id };
      expect(logged).toContainEqual(expect.objectContaining(line));
    });
  });

  describe('that cannot be counted', () => {
    const { token, sent } = sentFlow();

    it('does not keep the events beside it from the queue, and is sent again by the upstream', async () => {
      const { context, queued } = fakeIngestion([settings], now);
      const advance = () => Promise.reject(new Error('table gone'));
      const sentFlows = { ...fakeSentFlows([sent]).store, advance };
      const events = [message(), completion({ flow_token: token }), message()];
      await expect(ingest(events, { ...context, sentFlows })).rejects.toThrow('table gone');
      expect(queued).toMatchObject([{}, { sent_flow: { flow, message: 'wamid.SENT' } }, {}]);
    });

    it('does not keep others from being counted', async () => {
      const other = sentFlow();
      const sentFlows = fakeSentFlows([sent, other.sent]);
      const advance: typeof sentFlows.store.advance = async (record, progress) => {
        if (record.token_hash === sent.token_hash) throw new Error('table gone');
        return sentFlows.store.advance(record, progress);
      };
      const { context } = fakeIngestion([settings], now);
      const events = [completion({ flow_token: token }), completion({ flow_token: other.token })];
      await expect(ingest(events, { ...context, sentFlows: { ...sentFlows.store, advance } })).rejects.toThrow();
      expect(sentFlows.steps).toMatchObject([{ token_hash: other.sent.token_hash }]);
    });

    it('does not delay the response to the upstream for long', async () => {
      vi.useFakeTimers();
      const { context } = fakeIngestion([settings], now);
      const sentFlows = { ...fakeSentFlows([sent]).store, advance: silent };
      const ingested = ingest([completion({ flow_token: token })], { ...context, sentFlows });
      const rejected = expect(ingested).rejects.toThrow(OutOfTimeError);
      await vi.advanceTimersByTimeAsync(5_000);
      await rejected;
    });
  });

  it('is not counted before the queue has accepted everything', async () => {
    const { token, sent } = sentFlow();
    const sentFlows = fakeSentFlows([sent]);
    const { context } = fakeIngestion([settings], now, sentFlows);
    const queue = { send: () => Promise.reject(new Error('queue gone')) };
    await expect(ingest([completion({ flow_token: token })], { ...context, queue })).rejects.toThrow('queue gone');
    expect(sentFlows.steps).toEqual([]);
  });

  it('is one of a few that are read and counted at the same time', async () => {
    const all = Array.from({ length: 100 }, () => sentFlow());
    const sentFlows = fakeSentFlows(all.map(({ sent }) => sent));
    let maxRunning = 0;
    let running = 0;
    async function counted<T>(work: () => Promise<T>): Promise<T> {
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise(setImmediate);
      running--;
      return work();
    }
    const store: typeof sentFlows.store = {
      ...sentFlows.store,
      find: (hash) => counted(() => sentFlows.store.find(hash)),
      advance: (sent, progress) => counted(() => sentFlows.store.advance(sent, progress)),
    };
    const { context } = fakeIngestion([settings], now);
    await ingest(
      all.map(({ token }) => completion({ flow_token: token })),
      { ...context, sentFlows: store },
    );
    expect(sentFlows.steps).toHaveLength(100);
    expect(maxRunning).toBe(16);
  });
});

const silent = () => new Promise<never>(() => {});

/** A message that has nothing to do with a Flow. */
const message = (): NotificationEvent => ({
  kind: 'message',
  phoneNumberId: number.phone_number_id,
  notification: { contacts: [], messages: [{ text: { body: 'Hello' } }] },
  key: newId(),
  source: { list: 'messages', item: {} },
  timestampMs: now,
  change: { field: 'messages', value: {}, entry: { id: '1' }, receivedAt: now },
});
