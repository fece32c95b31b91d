import { describe, expect, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { maxAttempts } from '#shared/aws/connection.ts';
import { attemptMs } from '#shared/aws/table.ts';
import type { FunctionDefinition } from '#shared/operations/contract.ts';
import {
  devTemplate,
  functionNamed,
  lambdaFunctions,
  render,
  resourcesOfType,
} from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

const template = devTemplate();

describe('the functions', () => {
  it('are those of the table of functions', () => {
    expect(lambdaFunctions(template)).toHaveLength(functions.length);
  });

  it.each(functions.map((definition) => [definition.name, definition] as const))(
    'run as the definition of %s requires',
    (name, definition) => {
      expect(functionNamed(template, name).Properties).toMatchObject({
        Description: definition.summary,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: name === 'deliver-notifications' ? 256 : 512,
        Timeout: definition.timeoutSeconds ?? 20,
        LoggingConfig: { LogFormat: 'JSON' },
      });
    },
  );

  it('leave the order of creation to CloudFormation, for which linters warn of what it knows already', () => {
    for (const { logicalId } of lambdaFunctions(template)) {
      expect(template.Resources[logicalId], logicalId).not.toHaveProperty('DependsOn');
    }
  });

  it('take longer than all attempts of a call to the table', () => {
    const pausesMs = 1_000;
    for (const { name } of functions) {
      const { Timeout } = functionNamed(template, name).Properties;
      expect(Timeout * 1_000, name).toBeGreaterThan(maxAttempts * attemptMs + pausesMs);
    }
  });

  it('may call themselves through the queue only if they deliver: Lambda would stop a long drain', () => {
    const allowed = functions.filter(({ name }) => functionNamed(template, name).Properties.RecursiveLoop === 'Allow');
    expect(allowed.map(({ name }) => name)).toEqual(['deliver-notifications']);
  });

  it.each(functions.map(({ name }) => name))('are traced unless they handle notifications: %s', (name) => {
    const isTraced = !['receive-events', 'deliver-notifications'].includes(name);
    const { TracingConfig } = functionNamed(template, name).Properties;
    expect(TracingConfig).toEqual(isTraced ? { Mode: 'Active' } : undefined);
  });

  it.each(functions.map((definition) => [definition.name, definition] as const))(
    'have the environment variables that %s needs, and no others',
    (name, definition) => {
      const { Variables } = functionNamed(template, name).Properties.Environment;
      expect(Object.fromEntries(Object.entries(Variables).map(([key, value]) => [key, render(value)]))).toEqual(
        expectedEnvironment(definition),
      );
    },
  );

  it('log to groups with limited retention: one for the operations, and three whose events count on their own', () => {
    const groups = resourcesOfType(template, 'AWS::Logs::LogGroup');
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(7);
    const used = resourcesOfType<{ LoggingConfig: { LogGroup: unknown } }>(template, 'AWS::Lambda::Function').map(
      ({ Properties }) => render(Properties.LoggingConfig.LogGroup),
    );
    expect(new Set(used).size).toBe(4);
    expect(groups.map(({ logicalId }) => `<${logicalId}>`)).toEqual(expect.arrayContaining(used));
  });
});

describe('settings', () => {
  it('are passed on to the functions', () => {
    const template = synthesise({
      architecture: 'x86_64',
      baseUrl: 'https://api.example.com',
      graphVersion: 'v26.0',
      upstreamBaseUrl: 'https://graph.example.com',
      mediaHosts: 'files.example.com',
    });
    expect(functionNamed(template, 'create-flow').Properties).toMatchObject({
      Architectures: ['x86_64'],
      Environment: {
        Variables: {
          BASE_URL: 'https://api.example.com',
          PUBLIC_URL: 'https://api.example.com',
          OWN_URLS: { 'Fn::Join': ['', ['https://api.example.com,', { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }]] },
          UPSTREAM_GRAPH_VERSION: 'v26.0',
          UPSTREAM_BASE_URL: 'https://graph.example.com',
          UPSTREAM_MEDIA_HOSTS: 'files.example.com',
        },
      },
    });
  });
});

/** By which a function knows requests of its own deployment. */
const identity = { DEPLOYMENT_ID: '<AWS::StackId> by /[2]' };

/** By which a function knows URLs that it may call, and those of its own deployment, which it never calls. */
const urlRules = { EGRESS_ALLOWED_CIDRS: '', OWN_URLS: '<Api.ApiEndpoint>' };

function expectedEnvironment({ name, uses, routes }: FunctionDefinition): Record<string, string> {
  return {
    ...(uses.table && { TABLE_NAME: '<Table>' }),
    ...(uses.bucket && { BUCKET_NAME: '<Bucket>' }),
    ...(uses.queue && { QUEUE_URL: '<NotificationQueue>' }),
    ...(uses.egress && { ...identity, ...urlRules, DELIVERY_TIMEOUT_MS: '10000' }),
    ...(uses.retries && { DELIVERY_RETRY_SCHEDULE: '' }),
    ...(uses.customerUrls && urlRules),
    ...((uses.upstream || uses.mediaHosts) && {
      UPSTREAM_BASE_URL: 'https://graph.facebook.com',
      UPSTREAM_MEDIA_HOSTS: 'facebook.com,fbcdn.net,fbsbx.com,whatsapp.com,whatsapp.net',
    }),
    ...(uses.upstream && { UPSTREAM_GRAPH_VERSION: 'v25.0', UPSTREAM_TIMEOUT_MS: '8000' }),
    ...((uses.upstream || uses.credentials || uses.flowKeys) && { UPSTREAM_SECRET_ID: 'messaging/dev/upstream' }),
    ...((routes || operations.some((operation) => operation.name === name)) && {
      ...identity,
      BASE_URL: '<Api.ApiEndpoint>',
      PUBLIC_URL: '<Api.ApiEndpoint>',
    }),
  };
}
