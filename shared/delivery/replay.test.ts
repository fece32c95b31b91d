import { expect, it, vi } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { workspaceSubscriber } from '#shared/webhooks/subscriber.ts';
import type { Delivery } from './delivery.ts';
import { replay } from './replay.ts';

it.each([
  ['number', { id: newId(), workspace: newId(), active: true }],
  ['workspace', workspaceSubscriber({ id: newId() })],
])(
  'a replay finds no %s that was deleted after the request was authorised, and queues nothing',
  async (kind, subscriber) => {
    const delivery = { subscriber: subscriber.id, target: 'webhook', id: newId() } as Delivery;
    const send = vi.fn(async () => undefined);
    const asked = replay(subscriber, delivery, {
      targets: { read: async () => undefined },
      queue: { send },
    });
    await expect(asked).rejects.toMatchObject({ code: `${kind}.not-found` });
    expect(send).not.toHaveBeenCalled();
  },
);
