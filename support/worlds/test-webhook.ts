import { expect, vi } from 'vitest';
import { seededTokens } from '#local/seed.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { apiClient, type CallOptions, type Reply } from '../http/client.ts';
import type { Reaction } from '../http/receiver.ts';
import { type DeliveryWorld, soonInLog } from './delivery-world.ts';

/** Does not use `expect.poll`, which fails in concurrent tests. */
export const eventually = (read: () => unknown, expected: unknown) =>
  vi.waitFor(async () => expect(await read()).toEqual(expected), soonInLog);

/**
 * The first response that is not a 500: on a busy machine a call of the table can take too long. Use it only for
 * requests that may be repeated.
 */
export const answered = (ask: () => Promise<Reply>) =>
  vi.waitFor(async () => {
    const reply = await ask();
    expect(reply.status, reply.text).not.toBe(500);
    return reply;
  }, soonInLog);

export type Webhook = Awaited<ReturnType<typeof newWebhook>>;

/** A number, the receiver's path that is its webhook, and what the tests do with both. */
export async function newWebhook(service: DeliveryWorld, path: string) {
  const number = await service.newNumber({ webhook: path });
  const api = apiClient(service.baseUrl, { token: seededTokens.owner });
  const states = async () => (await service.deliveries(number)).map(({ state }) => state);
  const countOf = (state: string) => async () => (await states()).filter((one) => one === state).length;
  const script = (...reactions: [Reaction, ...Reaction[]]) => service.receiver.script(path, reactions);
  return {
    number,
    path,
    url: service.receiver.url + path,
    states,
    countOf,
    script,
    received: (below = '') => service.receiver.received(path + below),
    send: (...texts: string[]) => service.sendTexts(number, ...texts),
    ended: (count = 1) => service.ended(number, count),
    call: (contract: Contract, options: CallOptions = {}) =>
      api.call(contract, { ...options, params: { number: number.id, ...options.params } }),
  };
}
