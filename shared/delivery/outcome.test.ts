import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { newTarget, type TargetRecord } from '#shared/webhooks/target.ts';
import type { DeliverySettings } from '#shared/webhooks/target-store.ts';
import { answered, deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import { type AttemptMade, noteSuccess } from './outcome.ts';

const url = 'https://example.com/hook';

let engine: Engine;
let number: TestNumber;
beforeEach(async () => {
  engine = deliveryEngine();
  number = await engine.newNumber();
});

/** A success at the webhook, of which the process knows these settings. */
function success(webhook: TargetRecord): { succeeded: AttemptMade; settings: DeliverySettings } {
  const subscriber = { id: number.id, workspace: number.workspace, active: true };
  const settings = { subscriber, targets: { webhook, secondary_webhook: newTarget(), calls_webhook: newTarget() } };
  const lease = { holder: 'attempt', until: engine.clock.now + 1 };
  const delivery = { ...engine.notification(number), state: 'sending', attempt_count: 0, lease } as const;
  return {
    settings,
    succeeded: {
      delivery: { ...delivery, attempts: [], replays: [] },
      attempt: answered(200),
      record: { at: engine.clock.now, duration_ms: 20, status: 200 },
      ...{ settings, url, streak: { fail: async () => undefined, succeed: () => {}, end: () => {} } },
    },
  };
}

describe('a success after failures', () => {
  it('leaves what the process knows as it is if the reset fails, so that the next success tries again', async () => {
    const failures = [{ delivery: newId(), attempt: newId() }];
    const failing = await engine.breakers.countFailures(number.id, 'webhook', { url, failures, startsStreak: true });
    const { succeeded, settings } = success({ ...failing });
    const reset = () => Promise.reject(new Error('no table'));
    const context = engine.context({ breakers: { ...engine.breakers, reset } });
    await expect(noteSuccess(succeeded, context)).rejects.toThrow('no table');
    expect(settings.targets.webhook).toEqual(failing);

    await noteSuccess(succeeded, engine.context());
    expect(settings.targets.webhook.breaker).toEqual({ failures: 0 });
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });
});
