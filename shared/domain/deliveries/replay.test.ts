import { expect, it, vi } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { Delivery } from './delivery.ts';
import { replay } from './replay.ts';

it('a replay finds no number that was deleted after the request was authorised, and queues nothing', async () => {
  const delivery = { subscriber: newId(), target: 'webhook', id: newId() } as Delivery;
  const send = vi.fn(async () => undefined);
  const asked = replay(delivery, {
    targets: { read: async () => undefined },
    queue: { send },
  });
  await expect(asked).rejects.toMatchObject({ code: 'number.not-found' });
  expect(send).not.toHaveBeenCalled();
});
