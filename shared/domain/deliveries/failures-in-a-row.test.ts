import { beforeEach, describe, expect, it } from 'vitest';
import { type Failure, type FailuresInARow, failuresInARow } from './failures-in-a-row.ts';

let now: number;
let rows: FailuresInARow;
let timers: (() => void)[];
/** The deliveries of each count. */
let counts: string[][];

beforeEach(() => {
  now = 0;
  timers = [];
  counts = [];
  rows = failuresInARow(
    () => now,
    (_, run) => {
      timers.push(run);
      return () => undefined;
    },
  );
});

const count = async (failures: readonly Failure[]) => counts.push(failures.map(({ delivery }) => delivery));

const fail = (delivery: string, target = 'target') => rows.add(target, { delivery, attempt: delivery }, count);

function endWindows(): void {
  for (const end of timers.splice(0)) end();
}

/** Failures that come together; gives what each is told: which count it was in. */
async function failTogether(deliveries: readonly string[]): Promise<unknown[]> {
  const told = deliveries.map((delivery) => fail(delivery));
  endWindows();
  return Promise.all(told);
}

const ten = Array.from({ length: 10 }, (_, index) => `delivery-${index}`);

describe('failures of a target', () => {
  it('that come together are counted once each, in one write whose outcome all learn', async () => {
    expect(await failTogether(['one', 'two', 'three'])).toEqual([1, 1, 1]);
    expect(counts).toEqual([['one', 'two', 'three']]);
  });

  it('that come one after another are counted in a write each', async () => {
    await failTogether(['one']);
    await failTogether(['two']);
    expect(counts).toEqual([['one'], ['two']]);
  });

  it('that come while others are being written are counted in a write of their own', async () => {
    const written = Promise.withResolvers<void>();
    const slow = rows.add('target', { delivery: 'one', attempt: 'one' }, () => written.promise);
    endWindows();
    await Promise.resolve();
    expect(await failTogether(['two'])).toEqual([1]);
    written.resolve();
    await slow;
    expect(counts).toEqual([['two']]);
  });

  it('are counted apart from those of other targets', async () => {
    const told = [fail('one'), fail('two', 'other')];
    endWindows();
    await Promise.all(told);
    expect(counts).toEqual([['one'], ['two']]);
  });

  it('all learn that they could not be counted', async () => {
    const broken = () => Promise.reject(new Error('no table'));
    const told = ['one', 'two'].map((delivery) => rows.add('target', { delivery, attempt: delivery }, broken));
    endWindows();
    const outcomes = await Promise.allSettled(told);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a success', () => {
  it('right after failures keeps them from being counted', async () => {
    const told = fail('one');
    rows.end('target');
    endWindows();
    expect(await told).toBeUndefined();
    expect(counts).toEqual([]);
  });

  it('keeps failures of the next second from being counted', async () => {
    rows.end('target');
    now += 999;
    expect(await failTogether(['one', 'two'])).toEqual([undefined, undefined]);
    expect(counts).toEqual([]);
  });

  it('does not keep ten failures in a row from being counted', async () => {
    rows.end('target');
    await failTogether(ten.slice(0, 9));
    expect(counts).toEqual([]);
    now += 100;
    expect(await failTogether(ten.slice(9))).toEqual([1]);
    expect(counts).toEqual([ten]);
  });

  it('says nothing about failures a second later, with which younger ones are counted that had been left out', async () => {
    rows.end('target');
    await failTogether(['too old']);
    now += 500;
    await failTogether(['one']);
    now += 500;
    await failTogether(['two']);
    expect(counts).toEqual([['one', 'two']]);
  });

  it('of another target says nothing', async () => {
    rows.end('other');
    await failTogether(['one']);
    expect(counts).toEqual([['one']]);
  });
});
