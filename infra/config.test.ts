import { RemovalPolicy } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const configOf = (context: Record<string, unknown>) => readConfig(context);

describe('readConfig', () => {
  it('is dev without any setting', () => {
    expect(configOf({})).toMatchObject({
      stage: 'dev',
      removalPolicy: RemovalPolicy.DESTROY,
      baseUrl: undefined,
      alarmEmail: undefined,
      upstream: { baseUrl: 'https://graph.facebook.com', graphVersion: 'v25.0', timeoutMs: 8_000 },
      secretNames: {
        upstream: 'messaging/dev/upstream',
        flowKeys: 'messaging/dev/flow-keys/',
        ownCredentials: 'messaging/dev/credentials/',
      },
      declaresAwsEndpoints: false,
    });
  });

  it('has the secrets of workspaces beside an existing secret', () => {
    expect(configOf({ existingSecret: 'kept/upstream' }).secretNames).toEqual({
      upstream: 'kept/upstream',
      flowKeys: 'kept/flow-keys/',
      ownCredentials: 'kept/credentials/',
    });
  });

  it('keeps the data of prod', () => {
    expect(configOf({ stage: 'prod' })).toMatchObject({
      stage: 'prod',
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      deletionProtection: true,
      secretNames: { upstream: 'messaging/prod/upstream' },
    });
  });

  it('has a stage of any name, also one that all objects have', () => {
    expect(configOf({ stage: 'constructor' })).toMatchObject({ stage: 'constructor', deletionProtection: false });
  });

  it.each([
    ['stage', 'Prod', 'The setting stage must be 1 to 32 lowercase letters, digits and hyphens'],
    ['stage', '__proto__', 'The setting stage must be 1 to 32 lowercase letters, digits and hyphens'],
    ['stage', 'a'.repeat(33), 'The setting stage must be 1 to 32 lowercase letters, digits and hyphens'],
    ['stage', 'eu-', 'The setting stage must be 1 to 32 lowercase letters, digits and hyphens'],
    ['like', 'staging', 'The setting like must be dev or prod, not "staging"'],
    ['domainName', 'https://api.example.com', 'The setting domainName must be a domain name in lower case'],
    ['certificateArn', 'abc', 'The setting certificateArn must be the ARN of a certificate in ACM'],
    ['architecture', 'arm', 'The setting architecture must be arm64 or x86_64, not "arm"'],
    ['baseUrl', 'http://api.example.com', 'The setting baseUrl must be an https:// address without a path'],
    ['baseUrl', 'https://api.example.com/', 'The setting baseUrl must be an https:// address without a path'],
    ['baseUrl', 'https://api.example.com:99999', 'The setting baseUrl must be an https:// address'],
    ['upstreamBaseUrl', 'https://graph.example.123', 'The setting upstreamBaseUrl must be an https:// address'],
    ['baseUrl', 'https://user:pw@api.example.com', 'The setting baseUrl must be an https:// address'],
    ['baseUrl', 'https://..', 'The setting baseUrl must be an https:// address'],
    ['alarmEmail', 'operator', 'The setting alarmEmail must be an e-mail address, or none, not "operator"'],
    ['graphVersion', '25', 'The setting graphVersion must be a version such as v25.0, not "25"'],
    ['upstreamBaseUrl', 'graph.facebook.com', 'The setting upstreamBaseUrl must be an https:// address'],
    ['mediaHosts', 'https://fbsbx.com', 'The setting mediaHosts must be domain names with commas between them'],
    ['mediaHosts', '..,-', 'The setting mediaHosts must be domain names with commas between them'],
    ['mediaHosts', 'fbsbx.com,', 'The setting mediaHosts must be domain names with commas between them'],
    ['reservedConcurrency', '10', 'The setting reservedConcurrency must be on or off, not "10"'],
    ['existingTable', 'a b', 'The setting existingTable must be the name of a table, not "a b"'],
    ['existingSecret', 'arn:aws', 'The setting existingSecret must be the name of a secret, not "arn:aws"'],
    ['samLocal', 'yes', 'The setting samLocal must be true or false, not "yes"'],
  ])('readConfig rejects %s=%s', (name, value, message) => {
    expect(() => configOf({ [name]: value })).toThrow(message);
  });

  it.each([
    ['dev', {}, false],
    ['prod', {}, true],
    ['dev', { reservedConcurrency: 'on' }, true],
    ['prod', { reservedConcurrency: 'off' }, false],
  ])('reserves concurrency in %s with %j: %s', (stage, context, reserved) => {
    expect(configOf({ stage, ...context }).reservesConcurrency).toBe(reserved);
  });

  it.each([
    ...['alarmemail', 'alarmEmails', 'Stage', 'region', 'alarm-mail', 'alarm_email', 'alarm.email'],
    ...['alarm:email', 'messaging/alarmEmail', 'aws/stage'],
  ])('rejects the unknown setting %s and lists those there are', (name) => {
    expect(() => configOf({ [name]: 'x' })).toThrow(
      `There is no setting ${name}. There are stage, like, architecture, domainName, certificateArn, baseUrl, alarmEmail, graphVersion, upstreamBaseUrl, mediaHosts, reservedConcurrency, existingTable, existingSecret, samLocal`,
    );
  });

  it('names everything that is wrong, a line for each', () => {
    const wrong = () => configOf({ alarmemail: 'x', stage: 'Prod', graphVersion: '25' });
    expect(wrong).toThrow(
      /^There is no setting alarmemail.*\nThe setting stage must .*\nThe setting graphVersion must .*$/,
    );
  });

  it.each(['staging', 'eu-west', 'x'])('configures the stage %s as dev, or as prod if it is like prod', (stage) => {
    const { stage: _, secretNames: __, ...dev } = configOf({});
    expect(configOf({ stage })).toEqual({
      ...dev,
      stage,
      secretNames: {
        upstream: `messaging/${stage}/upstream`,
        flowKeys: `messaging/${stage}/flow-keys/`,
        ownCredentials: `messaging/${stage}/credentials/`,
      },
    });
    const { limits, removalPolicy, deletionProtection } = configOf({ stage: 'prod' });
    expect(configOf({ stage, like: 'prod' })).toMatchObject({ stage, limits, removalPolicy, deletionProtection });
  });

  it('has a custom domain with its certificate, which is the address for callers', () => {
    const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0198a000-0000-7000-8000-000000000001';
    const domainName = 'api.example.com';
    expect(configOf({ domainName, certificateArn })).toMatchObject({
      domain: { name: domainName, certificateArn },
      baseUrl: 'https://api.example.com',
    });
    expect(() => configOf({ domainName })).toThrow('domainName needs certificateArn');
    expect(() => configOf({ certificateArn })).toThrow('certificateArn needs domainName');
    const baseUrl = 'https://other.example.com';
    expect(() => configOf({ domainName, certificateArn, baseUrl })).toThrow('must be https://api.example.com');
  });

  it.each([
    '@aws-cdk/aws-iam:minimizePolicies',
    'aws:cdk:enable-path-metadata',
    'aws-cdk:enableDiffNoFail',
    'availability-zones:account=1:region=eu-west-1',
    'cli-telemetry',
    'acknowledged-issue-numbers',
  ])('leaves the CDK its own context %s', (name) => {
    expect(configOf({ [name]: true }).stage).toBe('dev');
  });
});
