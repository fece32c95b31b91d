import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeAws, startFakeAws } from '#support/fakes/fake-aws.ts';
import { alarmsOf } from './stack.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
beforeEach(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});
afterAll(() => aws.close());

/** An account with these alarms, of which a page shows as many as given. */
function account(alarms: Record<string, string>, pageSize: number): void {
  aws.set({
    'monitoring:DescribeAlarms': ({ AlarmNamePrefix = '', NextToken = '0' }) => {
      const found = Object.entries(alarms).filter(([name]) => name.startsWith(AlarmNamePrefix));
      const end = Number(NextToken) + pageSize;
      return {
        MetricAlarms: found.slice(Number(NextToken), end).map(([AlarmName, StateValue]) => ({ AlarmName, StateValue })),
        ...(end < found.length && { NextToken: String(end) }),
      };
    },
  });
}

describe('the alarms of a stack', () => {
  it('are its own only, not those of a stack whose name goes on', async () => {
    account(
      {
        'messaging-prod-AlarmsDeadLetters1-A': 'OK',
        'messaging-prod-AlarmsServerErrors2-B': 'ALARM',
        'messaging-prod-eu-AlarmsDeadLetters1-C': 'ALARM',
        'messaging-production-AlarmsDeadLetters1-D': 'ALARM',
      },
      100,
    );
    expect(await alarmsOf('messaging-prod')).toEqual({ count: 2, goingOff: ['messaging-prod-AlarmsServerErrors2-B'] });
  });

  it('are read from all pages', async () => {
    account({ 'messaging-dev-AlarmsA1': 'OK', 'messaging-dev-AlarmsB2': 'OK', 'messaging-dev-AlarmsC3': 'ALARM' }, 1);
    expect(await alarmsOf('messaging-dev')).toEqual({ count: 3, goingOff: ['messaging-dev-AlarmsC3'] });
  });
});
