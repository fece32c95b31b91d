import { RemovalPolicy } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const configOf = (context: Record<string, unknown>) => readConfig((name) => context[name]);

describe('readConfig', () => {
  it('is dev without any setting', () => {
    expect(configOf({})).toMatchObject({
      stage: 'dev',
      removalPolicy: RemovalPolicy.DESTROY,
      baseUrl: undefined,
      alarmEmail: undefined,
      upstream: { baseUrl: 'https://graph.facebook.com', graphVersion: 'v25.0', timeoutMs: 8_000 },
      secretNames: { upstream: 'messaging/dev/upstream', workspaces: 'messaging/dev/workspaces/' },
      declaresAwsEndpoints: false,
    });
  });

  it('keeps the data of prod', () => {
    expect(configOf({ stage: 'prod' })).toMatchObject({
      stage: 'prod',
      removalPolicy: RemovalPolicy.RETAIN,
      deletionProtection: true,
      secretNames: { upstream: 'messaging/prod/upstream' },
    });
  });

  it.each([
    ['stage', 'production', 'The setting stage must be dev or prod, not "production"'],
    ['stage', '__proto__', 'The setting stage must be dev or prod, not "__proto__"'],
    ['architecture', 'arm', 'The setting architecture must be arm64 or x86_64, not "arm"'],
    ['baseUrl', 'http://api.example.com', 'The setting baseUrl must be an https:// address without a path'],
    ['baseUrl', 'https://api.example.com/', 'The setting baseUrl must be an https:// address without a path'],
    ['alarmEmail', 'operator', 'The setting alarmEmail must be an e-mail address, not "operator"'],
    ['graphVersion', '25', 'The setting graphVersion must be a version such as v25.0, not "25"'],
    ['upstreamBaseUrl', 'graph.facebook.com', 'The setting upstreamBaseUrl must be an https:// address'],
    ['samLocal', 'yes', 'The setting samLocal must be true or false, not "yes"'],
  ])('refuses %s=%s', (name, value, message) => {
    expect(() => configOf({ [name]: value })).toThrow(message);
  });
});
