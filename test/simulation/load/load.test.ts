import { beforeEach, describe, expect, it } from 'vitest';
import { Ledger } from './ledger.ts';
import { defaultLoad, type LoadOptions } from './load-options.ts';
import { describeLoad, findFaults, maxUnitsOfPartition } from './load-report.ts';
import { type LoadResult, runLoad } from './run-load.ts';
import { upstreamRequest } from './upstream-events.ts';

const load = (options: Partial<LoadOptions>) => runLoad({ ...defaultLoad, ...options });

/** The most write units of one partition key in one second, in the table and its indexes. */
const busiestKey = ({ writes }: LoadResult) => Math.max(...Object.values(writes).map((of) => of.maxUnitsOfKey));

/** The longest wait of all but one in a hundred. */
const p99 = ({ waits }: LoadResult) => waits.firstMinute.healthy?.p99 ?? Number.NaN;

describe('the service under load', () => {
  it('shares what comes together among the pollers that wait, as it lies on the servers', async () => {
    const common = { notifications: 1_000, rate: 100 };
    const singly = await load(common);
    expect(singly.averageBatch).toBeLessThan(1.1);
    const inTens = await load({ ...common, perRequest: 10 });
    // Ten messages on three servers are on 2.95 of them, on average.
    expect(inTens.averageBatch).toBeCloseTo(10 / 2.95, 0);
    expect(inTens.functions.delivery.invocations).toBeGreaterThan(2 * 100);
  });

  it('delivers every notification once, and gives a batch of ten to one call if they are on one server', async () => {
    const result = await load({ notifications: 2_000, rate: 200, perRequest: 10, servers: 1 });
    expect(findFaults(result)).toEqual([]);
    expect(result.outcome.healthy).toEqual({ delivered: 2_000 });
    expect(result.posts).toBe(2_000);
    expect(result.functions.delivery.invocations).toBe(200);
    expect(result.writeUnits).toBe(2 * 2_000);
    expect(describeLoad(result)).toContain('  to healthy receivers: 2,000 delivered');
  });

  it('does not let healthy receivers wait for those that are known to be dead', async () => {
    const common = { notifications: 3_000, rate: 300, perRequest: 10 };
    const dead = { dead: 0.2, deadNumbers: 50, deadForLong: true };
    const [without, among] = [await load(common), await load({ ...common, ...dead })];
    expect(findFaults(among)).toEqual([]);
    expect(among.outcome.hanging.held).toBeGreaterThan(0);
    expect(among.outcome.down.held).toBeGreaterThan(0);
    expect(p99(among)).toBeLessThan(1.5 * p99(without));
    expect(busiestKey(among)).toBeLessThan(maxUnitsOfPartition);
  });

  it('loses nothing when receivers die or become slow', async () => {
    const result = await load({ notifications: 3_000, rate: 100, numbers: 20, slow: 0.1, dead: 0.2, deadNumbers: 4 });
    expect(findFaults(result)).toEqual([]);
    expect(result.outcome.slow.delivered).toBeGreaterThan(0);
    expect(result.logged.get('target.opened')).toBeGreaterThanOrEqual(4);
    expect(busiestKey(result)).toBeLessThan(maxUnitsOfPartition);
  });

  it('keeps every partition below its limit when one number has 4,000 events a second for two targets', async () => {
    const result = await load({
      ...{ notifications: 6_000, rate: 4_000, statuses: 3, perRequest: 10 },
      ...{ numbers: 1, targets: 2, concurrency: 300 },
    });
    expect(findFaults(result)).toEqual([]);
    expect(result.writes.table.maxUnits).toBeGreaterThan(10 * maxUnitsOfPartition);
    expect(busiestKey(result)).toBeLessThan(maxUnitsOfPartition);
  });

  it.each<[string, Partial<LoadOptions>]>([
    ['many numbers of which some are dead', { numbers: 100, dead: 0.2, deadNumbers: 20, deadForLong: true }],
    ['a number whose receivers take no connection', { numbers: 1, dead: 0.99, deadNumbers: 1 }],
    ['a number whose receivers have long been dead', { numbers: 1, dead: 0.99, deadNumbers: 1, deadForLong: true }],
  ])('keeps every partition below its limit at 4,000 events a second for two targets of %s', async (_, options) => {
    const result = await load({
      ...{ notifications: 6_000, rate: 4_000, perRequest: 10, targets: 2, concurrency: 1_000 },
      ...options,
    });
    expect(findFaults(result)).toEqual([]);
    expect(result.writes.table.maxUnits).toBeGreaterThan(5 * maxUnitsOfPartition);
    expect(busiestKey(result)).toBeLessThan(maxUnitsOfPartition);
  });

  it.each<[string, Partial<LoadOptions>]>([
    ['half of the attempts get an error', { failing: 0.5 }],
    ['all attempts hang', { hanging: 1 }],
    ['half of them get an error, and a tenth hang', { failing: 0.5, hanging: 0.1 }],
  ])(
    'keeps every partition well below its limit when one number has 4,000 events a second, and %s',
    async (_, options) => {
      const result = await load({
        ...{ notifications: 6_000, rate: 4_000, statuses: 3, perRequest: 10, numbers: 1, targets: 2 },
        ...{ concurrency: 300, longestDrainMs: 15_000 },
        ...options,
      });
      expect(findFaults(result)).toEqual([]);
      expect(busiestKey(result)).toBeLessThan(maxUnitsOfPartition / 2);
    },
  );

  it('catches up when more arrives for some time than it can deliver', async () => {
    const result = await load({ notifications: 3_000, rate: 3_000, perRequest: 10, concurrency: 20, coldStart: true });
    expect(findFaults(result)).toEqual([]);
    expect(result.functions.delivery.maxAtOnce).toBeLessThanOrEqual(20);
    expect(result.queue.maxVisible).toBeGreaterThan(1_000);
    expect(result.drainSeconds.healthy).toBeGreaterThan(1);
  });
});

describe('the ledger', () => {
  const number = { phoneNumberId: '1', kind: 'healthy' } as const;
  const payload = { text: JSON.stringify(upstreamRequest(number, [0], defaultLoad, 0)) };
  const message = (text: string) => ({
    body: JSON.stringify({ task: 'deliver', target: 'webhook', payload: { text } }),
  });
  const stored = (state: string) => ({
    key: { pk: 'pk', sk: 'sk' },
    before: undefined,
    after: { state, payload, target: 'webhook', ...(state === 'sending' && { lease: { expires_at: 15_000 } }) },
  });

  let now: number;
  beforeEach(() => {
    now = 0;
  });

  function ledgerOf(...states: string[]): Ledger {
    const ledger = new Ledger(1, 1, () => now);
    ledger.arrived(0, 'healthy');
    for (const state of states) ledger.changed(stored(state));
    return ledger;
  }

  it('finds a notification that is in the queue', () => {
    expect(ledgerOf().outcome([message(payload.text)]).healthy).toEqual({ queued: 1 });
  });

  it('finds out that a notification is neither stored nor queued', () => {
    expect(ledgerOf().outcome([]).healthy).toEqual({ lost: 1 });
  });

  it('finds a delivery that is recorded as delivered although its receiver accepted nothing', () => {
    expect(ledgerOf('delivered').outcome([]).healthy).toEqual({ lost: 1 });
  });

  it('finds a notification that its receiver has accepted while the record is in progress', () => {
    const ledger = ledgerOf('sending');
    ledger.accepted(payload.text, 'webhook');
    now = 14_999;
    expect(ledger.outcome([]).healthy).toEqual({ sending: 1 });
  });

  it('finds out that a receiver accepted a notification of which there is no record when its lease has expired', () => {
    const ledger = ledgerOf('sending');
    ledger.accepted(payload.text, 'webhook');
    now = 15_000;
    expect(ledger.outcome([]).healthy).toEqual({ lost: 1 });
  });

  it('finds out that a receiver accepted a notification of which the record says otherwise', () => {
    const ledger = ledgerOf('sending', 'waiting');
    ledger.accepted(payload.text, 'webhook');
    expect(ledger.outcome([]).healthy).toEqual({ lost: 1 });
  });

  it('finds out that a receiver accepted a notification twice', () => {
    const ledger = ledgerOf('delivered');
    for (let times = 0; times < 2; times++) ledger.accepted(payload.text, 'webhook');
    expect(ledger.repeats).toBe(1);
  });
});
