import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFakeAws } from '#support/fakes/fake-aws.ts';
import { forAllTests } from '#support/for-tests.ts';
import { alarmsOf, operatorConnection } from './stack.ts';

const aws = forAllTests(() => startFakeAws());
beforeEach(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

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

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const [config, credentials] = [join(folder, 'config'), join(folder, 'credentials')];
  await writeFile(config, '[profile ops]\nregion = eu-west-1\n');
  await writeFile(credentials, '[ops]\naws_access_key_id = AKIAOPS\naws_secret_access_key = secret\n');
  const variables = {
    AWS_CONFIG_FILE: config,
    AWS_SHARED_CREDENTIALS_FILE: credentials,
    AWS_REGION: undefined,
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
    AWS_PROFILE: 'ops',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe("an operator's connection to AWS", () => {
  it('has the region and the credentials of the profile', async () => {
    const { endpoint, region, credentials } = (await operatorConnection({}))('dynamodb');
    expect({ endpoint, region }).toEqual({ endpoint: 'https://dynamodb.eu-west-1.amazonaws.com', region: 'eu-west-1' });
    if (typeof credentials !== 'function') throw new Error('Credentials may expire, so there must be a function');
    expect(await credentials()).toMatchObject({ accessKeyId: 'AKIAOPS', secretAccessKey: 'secret' });
  });

  it('says so when there is no such profile', async () => {
    vi.stubEnv('AWS_PROFILE', 'nobody');
    await expect(operatorConnection({})).rejects.toThrow('Region is missing');
  });

  it('goes to another address if the environment has one', async () => {
    const connectTo = await operatorConnection({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' });
    expect(connectTo('dynamodb').endpoint).toBe('http://127.0.0.1:8000');
    expect(connectTo('secretsmanager').endpoint).toBe('https://secretsmanager.eu-west-1.amazonaws.com');
  });
});
