import { beforeEach, describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { answered, deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import { makeHandler } from './sweep-deliveries.ts';

let engine: Engine;

beforeEach(async () => {
  captureLog();
  engine = deliveryEngine();
});

describe('sweep-deliveries', () => {
  it('sends what is due to the queue', async () => {
    const number = await engine.newNumber();
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ context: engine.context({ schedule: [3_600] }) });
    const [waiting] = await engine.deliveriesOf(number);
    await makeHandler(engine.context())();
    expect(engine.queued).toEqual([]);
    engine.clock.now += 3_600_000;
    await makeHandler(engine.context())();
    expect(engine.queued.map(({ message }) => message)).toEqual([
      { task: 'retry', subscriber: number.id, target: 'webhook', id: waiting?.id, attempt_count: 1 },
    ]);
  });

  it('fails as a whole when it could not do its work, so that it is seen', async () => {
    const queue = { send: () => Promise.reject(new Error('no queue')) };
    const number = await engine.newNumber();
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ context: engine.context({ schedule: [3_600] }) });
    engine.clock.now += 3_600_000;
    await expect(makeHandler(engine.context({ queue }))()).rejects.toThrow('no queue');
  });
});
