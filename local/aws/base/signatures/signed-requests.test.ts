import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { type RequestToSign, signedHeaders } from '#support/http/signed-request.ts';
import { startDynamoDbFront } from '../../dynamodb/front.ts';
import { startS3 } from '../../s3/server.ts';
import { startSecretsManager } from '../../secrets-manager/server.ts';
import { startSqs } from '../../sqs/server.ts';
import { listenOnLoopback } from '../http/loopback.ts';
import { sha256Hex } from './signature-v4.ts';

const minuteMs = 60_000;

let aheadMs = 0;
const temporary = { accessKeyId: 'temporary', secretAccessKey: 'secret', sessionToken: 'token' };
const signers = {
  credentialsOf: (id: string) => (id === temporary.accessKeyId ? temporary : testSigners.credentialsOf(id)),
  now: () => Date.now() + aheadMs,
};
const connection = { region: 'us-east-1', credentials: testCredentials };

/** How a service calls what is wrong with a signature. */
type Errors = Record<
  'unsigned' | 'malformed' | 'unknownKey' | 'wrongTime' | 'different' | 'otherBody',
  [status: number, code: string]
>;

const jsonErrors = (status: number): Errors => ({
  unsigned: [status, 'MissingAuthenticationTokenException'],
  malformed: [status, 'IncompleteSignatureException'],
  unknownKey: [status, 'UnrecognizedClientException'],
  wrongTime: [status, 'InvalidSignatureException'],
  different: [status, 'InvalidSignatureException'],
  otherBody: [status, 'InvalidSignatureException'],
});
const s3Errors: Errors = {
  unsigned: [403, 'AccessDenied'],
  malformed: [400, 'AuthorizationHeaderMalformed'],
  unknownKey: [403, 'InvalidAccessKeyId'],
  wrongTime: [403, 'RequestTimeTooSkewed'],
  different: [403, 'SignatureDoesNotMatch'],
  otherBody: [400, 'XAmzContentSHA256Mismatch'],
};

interface Service {
  url: string;
  windowMinutes: number;
  path: string;
  request: RequestToSign & { method: string; body: string; headers: Record<string, string> };
  errors: Errors;
  /** A call with a client of the SDK; how many attempts it took. */
  call(): Promise<number | undefined>;
}

const services: Record<string, Service> = {};
const toClose: { close(): Promise<void> | void }[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signed-requests-'));
  const engine = await listenOnLoopback(
    createServer((_, response) => response.writeHead(200, { 'content-length': 2 }).end('{}')),
    0,
  );
  const [dynamoDb, sqs, secrets, s3] = await Promise.all([
    startDynamoDbFront({
      ...{ engine: { url: engine.url, accessKeyId: 'ENGINE' }, region: 'us-east-1', accountId: '0' },
      ...{ partitionKeys: new Map([['Table', 'pk']]), signers, authorize: () => undefined },
    }),
    startSqs({ signers }),
    startSecretsManager({ signers }),
    startS3({ dataDir: folder, buckets: ['bucket'], signers }),
  ]);
  toClose.push(dynamoDb, sqs, secrets, s3, engine);

  const json = (service: string, target: string, body = '{}') => ({
    ...{ path: '/', request: { service, method: 'POST', headers: { 'x-amz-target': target }, body } },
  });
  const dynamoDbClient = new DynamoDBClient({ ...connection, endpoint: dynamoDb.url });
  const sqsClient = new SQSClient({ ...connection, endpoint: sqs.url });
  const secretsClient = new SecretsManagerClient({ ...connection, endpoint: secrets.url });
  const s3Client = new S3Client({ ...connection, endpoint: s3.url });
  toClose.push(...[dynamoDbClient, sqsClient, secretsClient, s3Client].map((one) => ({ close: () => one.destroy() })));
  sqs.createQueue('queue');
  secrets.put('secret', 'value');
  const secret = { SecretId: 'secret' };
  const queue = { QueueUrl: sqs.queueUrl('queue') };
  const get = { TableName: 'Table', Key: { pk: { S: 'a' } } };
  const attempts = async (output: Promise<{ $metadata: { attempts?: number } }>) => (await output).$metadata.attempts;

  services.DynamoDB = {
    ...{ url: dynamoDb.url, windowMinutes: 5, errors: jsonErrors(400) },
    ...json('dynamodb', 'DynamoDB_20120810.GetItem', JSON.stringify(get)),
    call: () => attempts(dynamoDbClient.send(new GetItemCommand(get))),
  };
  services.SQS = {
    ...{ url: sqs.url, windowMinutes: 15, errors: jsonErrors(403) },
    ...json('sqs', 'AmazonSQS.GetQueueAttributes', JSON.stringify(queue)),
    call: () => attempts(sqsClient.send(new GetQueueAttributesCommand(queue))),
  };
  services['Secrets Manager'] = {
    ...{ url: secrets.url, windowMinutes: 5, errors: jsonErrors(400) },
    ...json('secretsmanager', 'secretsmanager.GetSecretValue', JSON.stringify(secret)),
    call: () => attempts(secretsClient.send(new GetSecretValueCommand(secret))),
  };
  services.S3 = {
    ...{ url: s3.url, windowMinutes: 15, errors: s3Errors, path: '/bucket/key' },
    request: { service: 's3', method: 'PUT', headers: { 'x-amz-content-sha256': sha256Hex('body') }, body: 'body' },
    call: () => attempts(s3Client.send(new ListObjectsV2Command({ Bucket: 'bucket' }))),
  };
});
afterAll(async () => {
  for (const one of toClose) await one.close();
  await rm(folder, { recursive: true });
});

interface Sent {
  method: string;
  path: string;
  body: string;
  headers: Record<string, string>;
}

/** Signs the service's request, lets `change` have it, and sends it. The status and the code of the error. */
async function send(
  { url, path, request }: Service,
  {
    sign = {},
    change = {},
  }: { sign?: Partial<RequestToSign>; change?: Partial<Sent> | ((sent: Sent) => Partial<Sent>) },
): Promise<[number | undefined, string | undefined]> {
  const signed: Sent = {
    ...{ method: request.method, path, body: request.body },
    headers: await signedHeaders(url + path, { ...request, ...sign }),
  };
  const { method, body, headers, ...sent } = {
    ...signed,
    ...(typeof change === 'function' ? change(signed) : change),
  };
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string | undefined]>();
  const options = { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
  const sending = httpRequest(url + sent.path, options, async (response) => {
    const content = await text(response);
    resolve([response.statusCode, /(?:<Code>|"__type":"[^"]*#)(\w+)/.exec(content)?.[1]]);
  });
  sending.on('error', reject).end(body);
  return promise;
}

const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minuteMs);

describe.each(['DynamoDB', 'SQS', 'Secrets Manager', 'S3'])('the local %s', (name) => {
  const service = () => services[name] as Service;

  it('takes a request with the signature of the SDK', async () => {
    expect(await send(service(), {})).toEqual([200, undefined]);
    expect(await send(service(), { sign: { credentials: temporary } })).toEqual([200, undefined]);
  });

  const rejected: [string, keyof Errors, Parameters<typeof send>[1]][] = [
    ['no signature', 'unsigned', { change: ({ headers }) => ({ headers: without(headers, 'authorization') }) }],
    [
      'a signature of another kind',
      'malformed',
      { change: ({ headers }) => ({ headers: { ...headers, authorization: 'Bearer token' } }) },
    ],
    [
      'an access key that does not exist',
      'unknownKey',
      { sign: { credentials: { ...testCredentials, accessKeyId: 'nobody' } } },
    ],
    [
      'temporary credentials without their token',
      'unknownKey',
      { sign: { credentials: { accessKeyId: 'temporary', secretAccessKey: 'secret' } } },
    ],
    [
      'temporary credentials with another token',
      'unknownKey',
      { sign: { credentials: { ...temporary, sessionToken: 'other' } } },
    ],
    ['another secret', 'different', { sign: { credentials: { ...testCredentials, secretAccessKey: 'wrong' } } }],
    ['another body', 'otherBody', { change: ({ body }) => ({ body: body.replace(/.$/, ' ') }) }],
    ['another method', 'different', { sign: { method: 'GET' } }],
    [
      'a header of AWS that is not signed',
      'different',
      { change: ({ headers }) => ({ headers: { ...headers, 'x-amz-extra': '1' } }) },
    ],
  ];

  it.each(rejected)('rejects a request with %s', async (_, error, change) => {
    expect(await send(service(), change)).toEqual(service().errors[error]);
  });

  it('rejects a request whose time is too far off', async () => {
    const { windowMinutes, errors } = service();
    expect(await send(service(), { sign: { at: minutesAgo(windowMinutes - 1) } })).toEqual([200, undefined]);
    expect(await send(service(), { sign: { at: minutesAgo(windowMinutes + 1) } })).toEqual(errors.wrongTime);
    expect(await send(service(), { sign: { at: minutesAgo(1 - windowMinutes) } })).toEqual([200, undefined]);
    expect(await send(service(), { sign: { at: minutesAgo(-1 - windowMinutes) } })).toEqual(errors.wrongTime);
  });

  it('tells the SDK the time, which corrects a clock that is wrong', async () => {
    const { windowMinutes, call } = service();
    onTestFinished(() => {
      aheadMs = 0;
    });
    for (const minutes of [windowMinutes + 1, 60 * 24 * 30]) {
      aheadMs = minutes * minuteMs;
      expect(await call()).toBe(2);
      expect(await call()).toBe(1);
    }
  });
});
