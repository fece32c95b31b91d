import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { putBackSeconds, type SlowTargets, slowTargets } from './slow-targets.ts';

let now: number;
let consumer: { forBatch(): SlowTargets };

beforeEach(() => {
  now = 0;
  consumer = slowTargets(() => now);
});

const message = (put_backs?: number) => ({ number: newId(), target: 'webhook' as const, put_backs });

/** A batch with an attempt for each of these messages that is admitted; how many are. */
function attempt(messages: ReturnType<typeof message>[], durationMs: number): number {
  const batch = consumer.forBatch();
  const admitted = messages.filter((one) => batch.admits(one));
  if (admitted.length > 0) now += durationMs;
  for (const one of admitted) batch.note(one, durationMs);
  return admitted.length;
}

describe('a target', () => {
  it('is never put back while it is fast or unknown', () => {
    const [slow, fast, unknown] = [message(), message(), message()];
    attempt([fast], 500);
    attempt([slow], 10_000);
    expect(consumer.forBatch().admits(fast)).toBe(true);
    expect(consumer.forBatch().admits(unknown)).toBe(true);
    expect(consumer.forBatch().admits({ ...slow, target: 'secondary_webhook' } as never)).toBe(true);
  });

  it('that was slow is put back for three times as long as it took', () => {
    const slow = message();
    expect(attempt([slow], 900)).toBe(1);
    now += 2_699;
    expect(consumer.forBatch().admits(slow)).toBe(false);
    now += 1;
    expect(consumer.forBatch().admits(slow)).toBe(true);
  });

  it('is no longer slow when it has been fast', () => {
    const [one, other] = [message(), message()];
    attempt([one], 900);
    now += 2_700;
    attempt([one], 20);
    attempt([other], 900);
    expect(consumer.forBatch().admits(one)).toBe(true);
    expect(consumer.forBatch().admits(other)).toBe(false);
  });

  it('counts as slow for a process that learns it only from a message that was put back', () => {
    const [slow, learnt] = [message(), message(1)];
    expect(consumer.forBatch().admits(learnt)).toBe(true);
    attempt([slow], 900);
    expect(consumer.forBatch().admits(learnt)).toBe(false);
  });

  it('gets a limited number of attempts in one batch while it is slow', () => {
    const slow = message();
    attempt([slow], 900);
    now += 2_700;
    expect(attempt(Array(15).fill(slow), 900)).toBe(5);
  });

  it('is forgotten if very many targets are slow', () => {
    const first = message();
    attempt([first], 900);
    for (let count = 0; count < 999; count++) consumer.forBatch().note(message(), 900);
    expect(consumer.forBatch().admits(first)).toBe(false);
    consumer.forBatch().note(message(), 900);
    expect(consumer.forBatch().admits(first)).toBe(true);
  });
});

describe('a process', () => {
  it('spends about a quarter of its time on slow targets, however many messages wait for them', () => {
    const slow = [message(), message(), message()];
    for (const one of slow) attempt([one], 1_000);
    now += 3_000;
    const begin = now;
    let waited = 0;
    let sent = 0;
    while (now < begin + 100_000) {
      const before = now;
      sent += attempt(slow, 1_000);
      waited += now - before;
      now += 10;
    }
    expect(waited / (now - begin)).toBeGreaterThan(0.2);
    expect(waited / (now - begin)).toBeLessThanOrEqual(0.26);
    expect(sent).toBeGreaterThanOrEqual(60);
  });
});

describe('the delay of a message that is put back', () => {
  it('doubles each time, up to the longest delay of the queue', () => {
    expect([0, 1, 2, 3, 9, 10, 30].map((count) => putBackSeconds(count, 0.5))).toEqual([1, 2, 4, 8, 512, 900, 900]);
  });

  it('is randomised a little, so that messages do not come back together', () => {
    expect([0, 0.999].map((random) => Math.round(putBackSeconds(3, random)))).toEqual([6, 10]);
    expect(putBackSeconds(10, 0.999)).toBe(900);
  });
});
