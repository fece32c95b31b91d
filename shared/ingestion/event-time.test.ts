import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#shared/base/exact-json.ts';
import { eventTime, timestampsIn } from './normalise.ts';

const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const seconds = (ms: number) => Math.floor(ms / 1000);
const fallback = Date.UTC(2026, 10, 20, 12, 30);

describe('eventTime', () => {
  it.each([
    ['text', '1795000000', 1_795_000_000_000],
    ['a number', 1_795_000_000, 1_795_000_000_000],
    ['a fraction', 1_795_000_000.7, 1_795_000_000_000],
    ['a fraction that a double cannot write', parseExactJson('1795000000.0'), 1_795_000_000_000],
    ['an exponent', parseExactJson('1.795e9'), 1_795_000_000_000],
    ['the start of 2020', '1577836800', Date.UTC(2020, 0, 1)],
    ['a day ahead', seconds(now + 86_400_000), seconds(now + 86_400_000) * 1000],
  ])('reads a time that is %s', (_, time, expected) => {
    expect(eventTime([time], now)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    '',
    'yesterday',
    '1795000000abc',
    '-1795000000',
    '1e9',
    ['1795000000'],
    {},
    true,
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1577836799',
    seconds(now + 86_400_000) + 1,
    now,
    '99999999999999999999',
    parseExactJson('99999999999999999999'),
    parseExactJson('1e400'),
  ])('ignores the implausible time %j', (time) => {
    expect(eventTime([time], now)).toBe(fallback);
  });

  it('returns the first plausible time', () => {
    expect(eventTime([undefined, '1', '1795000000', '1795000001'], now)).toBe(1_795_000_000_000);
  });

  it('returns the same time for repeats within ten minutes', () => {
    expect(eventTime([], fallback)).toBe(fallback);
    expect(eventTime([], fallback + 599_999)).toBe(fallback);
    expect(eventTime([], fallback + 600_000)).toBe(fallback + 600_000);
  });
});

describe('timestampsIn', () => {
  it('finds the deepest times first, and of one depth the latest first', () => {
    const items = [{ timestamp: '1795000001' }, { timestamp: 1_795_000_003, sent: { timestamp: '1795000002' } }];
    expect([...timestampsIn({ timestamp: '1795000009', items })]).toEqual([
      1_795_000_002, 1_795_000_003, 1_795_000_001, 1_795_000_009,
    ]);
  });

  it('finds when something was created or updated', () => {
    const configuration = { created_timestamp: 1_795_000_000, updated_timestamp: 1_795_000_001 };
    expect([...timestampsIn(configuration)]).toEqual([1_795_000_001, 1_795_000_000]);
  });

  it('finds none in other members, in values that are not times and in any nesting', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect([...timestampsIn([{ expiration_timestamp: 1_795_000_000, timestamp: {} }, 'x', null, deep])]).toEqual([]);
  });
});
