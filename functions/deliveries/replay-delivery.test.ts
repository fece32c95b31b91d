import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { DeliveryState } from '#shared/delivery/delivery.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { requestId } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { replayDelivery as contract } from './contracts.ts';
import { makeHandler } from './replay-delivery.ts';

captureLog();

const url = 'https://example.com/hook';

const world = forAllTests(() => startApiWorld());

const replay = (number: PhoneNumber, delivery: string) =>
  world.call({ contract, makeHandler }, number, { pathParameters: { delivery } });

describe('replay-delivery', () => {
  it.each<DeliveryState>(['delivered', 'exhausted', 'discarded', 'waiting', 'held', 'sending'])(
    'has one attempt made of a delivery that is %s',
    async (state) => {
      const number = await world.newNumber({ webhook: url });
      const { id } = await world.newDelivery(number, { state });
      const { status, text } = await replay(number, id);
      expect(status).toBe(200);
      expect(text).toBe('{"success":true}');
      expect(world.queuedFor(number)).toEqual([
        {
          task: 'replay',
          subscriber: number.id,
          target: 'webhook',
          id,
          replay: expect.stringMatching(/^[0-9a-f-]{36}$/),
          request: requestId,
        },
      ]);
    },
  );

  it('replay-delivery distinguishes two replay requests', async () => {
    const number = await world.newNumber({ webhook: url });
    const { id } = await world.newDelivery(number);
    await Promise.all([replay(number, id), replay(number, id)]);
    const replayIds = world.queuedFor(number).map((message) => 'replay' in message && message.replay);
    expect(new Set(replayIds).size).toBe(2);
  });

  it.each(['open', 'paused'])('is rejected while the target’s circuit breaker is %s, with what to do', async (how) => {
    const number = await world.newNumber({ webhook: url });
    await world.breakTarget(number, 'webhook');
    if (how === 'paused') await world.breakers.pause(number.id, 'webhook', now);
    const { id } = await world.newDelivery(number);
    const { status, json } = await replay(number, id);
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringMatching(/webhook.*resume/) });
    expect(world.queuedFor(number)).toEqual([]);
  });

  it('works again once the target is resumed, even while another target fails', async () => {
    const number = await world.newNumber({ webhook: url, secondary_webhook: url });
    await world.breakTarget(number, 'webhook');
    await world.breakTarget(number, 'secondary_webhook');
    await world.breakers.startDraining(number.id, 'webhook', newId(), now);
    const { id } = await world.newDelivery(number);
    expect((await replay(number, id)).status).toBe(200);
  });

  it('is rejected if the target has no URL', async () => {
    const number = await world.newNumber({ webhook: url });
    const { id } = await world.newDelivery(number, { target: 'calls_webhook' });
    const { status, json } = await replay(number, id);
    expect(status).toBe(400);
    expect(json).toEqual({ message: 'No calls_webhook URL is set. Set one first.' });
  });

  it('returns 404 for deliveries of another number, expired deliveries and unknown ids', async () => {
    const number = await world.newNumber({ webhook: url });
    const { id: foreign } = await world.newDelivery(await world.newNumber({ webhook: url }));
    const { id: expired } = await world.newDelivery(number, { created_at: now - 31 * 86_400_000 });
    for (const id of [foreign, expired, newId(), 'x']) expect((await replay(number, id)).status).toBe(404);
    expect(world.queuedFor(number)).toEqual([]);
  });
});
