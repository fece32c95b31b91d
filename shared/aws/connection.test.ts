import { describe, expect, it } from 'vitest';
import { connectionFrom } from './connection.ts';

const environment = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('a connection from the environment', () => {
  it.each([
    ['eu-west-1', 'dynamodb', 'https://dynamodb.eu-west-1.amazonaws.com'],
    ['us-gov-west-1', 'sqs', 'https://sqs.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 'secretsmanager', 'https://secretsmanager.cn-north-1.amazonaws.com.cn'],
  ] as const)('leads to the service in its region: %s, %s', (AWS_REGION, service, endpoint) => {
    expect(connectionFrom({ ...environment, AWS_REGION }, service)).toMatchObject({ endpoint, region: AWS_REGION });
  });

  it.each([
    ['dynamodb', 'AWS_ENDPOINT_URL_DYNAMODB'],
    ['sqs', 'AWS_ENDPOINT_URL_SQS'],
    ['s3', 'AWS_ENDPOINT_URL_S3'],
    ['secretsmanager', 'AWS_ENDPOINT_URL_SECRETS_MANAGER'],
  ] as const)('leads where the variables say: %s', (service, variable) => {
    const all = { ...environment, AWS_ENDPOINT_URL: 'http://all' };
    expect(connectionFrom({ ...all, [variable]: 'http://one' }, service).endpoint).toBe('http://one');
    expect(connectionFrom({ ...all, [variable]: '' }, service).endpoint).toBe('http://all');
  });

  it('has the credentials of the function, which are temporary on Lambda', () => {
    const permanent = { accessKeyId: 'AKID', secretAccessKey: 'secret' };
    expect(connectionFrom(environment, 'sqs').credentials).toEqual(permanent);
    expect(connectionFrom({ ...environment, AWS_SESSION_TOKEN: 'token' }, 'sqs').credentials).toEqual({
      ...permanent,
      sessionToken: 'token',
    });
  });

  it('has a timeout of its own only if the environment says so', () => {
    expect(connectionFrom(environment, 'sqs')).not.toHaveProperty('timeoutMs');
    expect(connectionFrom({ ...environment, AWS_ATTEMPT_TIMEOUT_MS: '6000' }, 'sqs').timeoutMs).toBe(6000);
  });

  it.each(Object.keys(environment))('fails when it is used without %s', async (variable) => {
    const { credentials } = connectionFrom({ ...environment, [variable]: undefined }, 'sqs');
    await expect(async () => typeof credentials === 'function' && credentials()).rejects.toThrow(variable);
  });
});
