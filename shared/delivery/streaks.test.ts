import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '#shared/webhooks/breaker-store.ts';
import { rememberStreaks, type Streaks } from './streaks.ts';

let now: number;
let streaks: Streaks;
let timers: Set<() => void>;
/** The deliveries of each count. */
let counts: string[][];

beforeEach(() => {
  now = 0;
  timers = new Set();
  counts = [];
  streaks = rememberStreaks(
    () => now,
    (_, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  );
});

const count = async (failures: readonly Failure[]) => counts.push(failures.map(({ delivery }) => delivery));

const begin = (target = 'target') => {
  const attempt = streaks.begin(target);
  return { ...attempt, fail: (delivery: string) => attempt.fail({ delivery, attempt: delivery }, count) };
};

/** Half a second goes by. */
async function passTime(): Promise<void> {
  for (const run of timers) run();
  timers.clear();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Makes attempts of one batch fail; returns for each the number of the count that included it. */
function failTogether(deliveries: readonly string[]): Promise<unknown[]> {
  const attempts = deliveries.map((delivery) => ({ delivery, attempt: begin() }));
  return Promise.all(attempts.map(({ delivery, attempt }) => attempt.fail(delivery)));
}

const succeed = (target?: string) => begin(target).succeed();

const ten = Array.from({ length: 10 }, (_, index) => `delivery-${index}`);

describe('failures of a target', () => {
  it('that a batch makes side by side are counted once each, in one write whose outcome all learn', async () => {
    expect(await failTogether(['one', 'two', 'three'])).toEqual([1, 1, 1]);
    expect(counts).toEqual([['one', 'two', 'three']]);
  });

  it('that come one after another are counted in a write each, without a wait', async () => {
    await failTogether(['one']);
    await failTogether(['two']);
    expect(counts).toEqual([['one'], ['two']]);
    expect(timers.size).toBe(0);
  });

  it('wait for other attempts at it, until these have ended in whatever way', async () => {
    const [first, second, third] = [begin(), begin(), begin()];
    const told = first.fail('one');
    third.end();
    const alsoTold = second.fail('two');
    expect(await Promise.all([told, alsoTold])).toEqual([1, 1]);
    expect(counts).toEqual([['one', 'two']]);
  });

  it('wait for half a second at most', async () => {
    begin();
    const told = begin().fail('one');
    await passTime();
    expect(await told).toBe(1);
    expect(counts).toEqual([['one']]);
  });

  it('are counted even if the process was too busy to do so when the wait was over', async () => {
    begin();
    const told = [begin().fail('one'), begin().fail('two')];
    now += 1_500;
    await passTime();
    expect(await Promise.all(told)).toEqual([1, 1]);
    expect(counts).toEqual([['one', 'two']]);
  });

  it('that come while others are being written are counted in a write of their own', async () => {
    const written = Promise.withResolvers<void>();
    const slow = streaks.begin('target').fail({ delivery: 'one', attempt: 'one' }, () => written.promise);
    await passTime();
    expect(await failTogether(['two'])).toEqual([1]);
    written.resolve();
    await slow;
    expect(counts).toEqual([['two']]);
  });

  it('are counted apart from those of other targets, and do not wait for these', async () => {
    begin('third');
    await Promise.all([begin().fail('one'), begin('other').fail('two')]);
    expect(counts).toEqual([['one'], ['two']]);
  });

  it('all learn that they could not be counted', async () => {
    const broken = () => Promise.reject(new Error('no table'));
    const attempts = ['one', 'two'].map((delivery) => ({ delivery, attempt: streaks.begin('target') }));
    const told = attempts.map(({ delivery, attempt }) => attempt.fail({ delivery, attempt: delivery }, broken));
    const outcomes = await Promise.allSettled(told);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a success', () => {
  it('of an attempt for which failures wait keeps them from being counted', async () => {
    const [first, second] = [begin(), begin()];
    const told = first.fail('one');
    second.succeed();
    expect(await told).toBeUndefined();
    expect(counts).toEqual([]);
  });

  it('does not break a streak that has been counted meanwhile', async () => {
    const [first, second] = [begin(), begin()];
    const told = first.fail('one');
    await passTime();
    second.succeed();
    expect(await told).toBe(1);
  });

  it('keeps failures of the next second from being counted', async () => {
    succeed();
    now += 999;
    expect(await failTogether(['one', 'two'])).toEqual([undefined, undefined]);
    expect(counts).toEqual([]);
  });

  it('does not keep ten failures in a row from being counted', async () => {
    succeed();
    await failTogether(ten.slice(0, 9));
    expect(counts).toEqual([]);
    now += 100;
    expect(await failTogether(ten.slice(9))).toEqual([1]);
    expect(counts).toEqual([ten]);
  });

  it('says nothing about failures a second later, with which younger ones that were left out are counted', async () => {
    succeed();
    await failTogether(['too old']);
    now += 500;
    await failTogether(['one']);
    now += 500;
    await failTogether(['two']);
    expect(counts).toEqual([['one', 'two']]);
  });

  it('of another target says nothing', async () => {
    succeed('other');
    await failTogether(['one']);
    expect(counts).toEqual([['one']]);
  });
});
