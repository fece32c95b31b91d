import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { connectionFrom } from '#shared/aws/connection.ts';
import { keys } from '#shared/aws/keys.ts';
import { openTable } from '#shared/aws/table.ts';
import { addMark, markOf } from '#shared/base/mark.ts';
import type { FirstAttempt } from '#shared/delivery/notification.ts';
import { signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { claim, record, secretsRead, settingsQuery } from './calls.ts';

interface Settings {
  url: string;
  secrets: string[];
}

const { client, name: tableName } = openTable(String(process.env.TABLE_NAME), connectionFrom(process.env, 'dynamodb'));
const mark = markOf(String(process.env.DEPLOYMENT_ID));
const agent = new Agent({ keepAlive: true });
const leaseMs = 15_000;

const { sk: webhookSk } = keys.target('any', 'webhook');

const secretsOf = new Map<string, string[]>();

/** Makes the calls and the POSTs of `deliver-notifications`, for all messages at once. It checks nothing. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const messages: FirstAttempt[] = Records.map(({ body }) => JSON.parse(body));
  const numbers = [...new Set(messages.map(({ subscriber }) => subscriber))];
  const settings = new Map(numbers.map((number) => [number, readSettings(number)]));
  await Promise.all(messages.map((message) => deliver(message, settings.get(message.subscriber))));
  return { batchItemFailures: [] };
}

async function deliver(message: FirstAttempt, reading: Promise<Settings> | undefined): Promise<void> {
  const settings = (await reading) ?? { url: '', secrets: [] };
  const lease = { holder: randomUUID(), until: Date.now() + leaseMs };
  await client.send(new PutCommand(claim(tableName, message, lease)));
  const at = Date.now();
  const status = await post(settings, message);
  const attempt = { at, duration_ms: Date.now() - at, status };
  await client.send(new UpdateCommand(record(tableName, message, lease, attempt)));
}

async function readSettings(number: string): Promise<Settings> {
  const { Items = [] } = await client.send(new QueryCommand(settingsQuery(tableName, number)));
  const url = String(Items.find(({ sk }) => sk === webhookSk)?.url);
  return { url, secrets: secretsOf.get(number) ?? (await readSecrets(number)) };
}

async function readSecrets(number: string): Promise<string[]> {
  const { Items } = await client.send(new QueryCommand(secretsRead(tableName, number)));
  const secrets = [String(Items?.[0]?.current)];
  secretsOf.set(number, secrets);
  return secrets;
}

function post({ url, secrets }: Settings, { id, payload }: FirstAttempt): Promise<number> {
  const body = 'text' in payload ? payload.text : '';
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'messaging-service',
    ...addMark({ ...signatureHeaders({ id, timestamp: Math.floor(Date.now() / 1000), body, secrets }) }, mark),
    'accept-encoding': 'identity',
    'content-length': Buffer.byteLength(body),
  };
  const call = request(url, { method: 'POST', agent, headers });
  call.on('error', reject);
  call.once('response', (response) => {
    response.resume();
    response.once('end', () => resolve(response.statusCode ?? 0));
  });
  call.end(body);
  return promise;
}
