import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { envelopeStore, exchangeStore } from './exchange-store.ts';

const now = Date.UTC(2026, 0, 31);
const day = 86_400_000;

const dynamodb = forAllTests(() => startTestTable());
const exchanges = forAllTests(() => exchangeStore(dynamodb.table));

const record = (at: number): ExchangeRecord => ({
  at,
  preview: null,
  action: 'INIT',
  screen: null,
  reported_error: null,
  answered_screen: 'DATE',
  duration_ms: 3,
  status: 200,
  bytes: 9,
  outcome: 'answered',
  fault: 'wrong-type',
  findings: [{ code: 'wrong-type', path: 'data.slots[0].id', expected: 'string' }],
});

describe('exchanges', () => {
  it('returns the latest fifty exchanges of the Flow, newest first', async () => {
    const [flow, other] = [newId(), newId()];
    await exchanges.add(other, record(now));
    for (let count = 0; count < 52; count++) await exchanges.add(flow, record(now + count));
    const latest = await exchanges.latest(flow, now);
    expect(latest.map(({ at }) => at - now)).toEqual(Array.from({ length: 50 }, (_, position) => 51 - position));
    expect(await exchanges.latest(other, now)).toEqual([record(now)]);
    expect(await exchanges.latest(newId(), now)).toEqual([]);
  });

  it('are in the order in which they began, not in which they ended', async () => {
    const flow = newId();
    for (const at of [now, now + 2, now + 1]) await exchanges.add(flow, record(at));
    expect((await exchanges.latest(flow, now)).map(({ at }) => at - now)).toEqual([2, 1, 0]);
  });

  it('are deleted after 30 days', async () => {
    const flow = newId();
    await exchanges.add(flow, record(now - 30 * day - 1_000));
    await exchanges.add(flow, record(now - 29 * day));
    expect(await exchanges.latest(flow, now)).toEqual([record(now - 29 * day)]);
  });
});

it('binds an envelope to one Flow, also if two claim it at the same time', async () => {
  const { bind } = envelopeStore(dynamodb.table);
  const [first, second] = [newId(), newId()];
  const bound = await Promise.all([bind('a', first, 0), bind('a', second, 0)]);
  expect(bound.toSorted()).toEqual([false, true]);
  expect(await Promise.all([bind('a', first, 1), bind('a', second, 1)])).toEqual(bound);
  expect(await bind('b', second, 0)).toBe(true);
});
