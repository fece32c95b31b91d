import { expect, it } from 'vitest';
import { Parts } from './parts.ts';

function recorder() {
  const events: string[] = [];
  const part = async (name: string, failure?: Error) => {
    events.push(`start ${name}`);
    return {
      close() {
        events.push(`close ${name}`);
        if (failure) throw failure;
      },
    };
  };
  return { events, part };
}

it('parts stop in the reverse order of their start', async () => {
  const { events, part } = recorder();
  const parts = new Parts();
  await parts.start(part('queue'));
  await parts.start(part('gateway'));
  await parts.close();
  expect(events).toEqual(['start queue', 'start gateway', 'close gateway', 'close queue']);
});

it('a part that fails to start is not closed', async () => {
  const { events, part } = recorder();
  const parts = new Parts();
  await parts.start(part('queue'));
  await expect(parts.start(Promise.reject(new Error('taken')))).rejects.toThrow('taken');
  await parts.close();
  expect(events).toEqual(['start queue', 'close queue']);
});

it('a part that fails to close does not keep the others open', async () => {
  const { events, part } = recorder();
  const parts = new Parts();
  await parts.start(part('queue'));
  await parts.start(part('gateway', new Error('stuck')));
  await expect(parts.close()).rejects.toThrow('stuck');
  expect(events).toContain('close queue');
});

it('parts are closed only once', async () => {
  const { events, part } = recorder();
  const parts = new Parts();
  await parts.start(part('queue'));
  await parts.close();
  await parts.close();
  expect(events).toEqual(['start queue', 'close queue']);
});
