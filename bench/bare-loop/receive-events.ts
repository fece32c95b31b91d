import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { connectionFrom } from '#shared/aws/connection.ts';
import { keys } from '#shared/aws/keys.ts';
import { openTable } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import type { FirstAttempt } from '#shared/delivery/notification.ts';
import { queueClient } from '#shared/delivery/notification-queue-store.ts';
import { batchToQueue, numberIdRead, settingsQuery } from './calls.ts';

/** The part of an event that makes notifications. */
interface Value {
  metadata: { phone_number_id: string };
  contacts: unknown[];
  messages: unknown[];
}

const { client, name: tableName } = openTable(String(process.env.TABLE_NAME), connectionFrom(process.env, 'dynamodb'));
const queue = queueClient(connectionFrom(process.env, 'sqs'));
const queueUrl = String(process.env.QUEUE_URL);

const { sk: webhookSk } = keys.target('any', 'webhook');

const numberIds = new Map<string, string>();

/** Makes the calls of ingestion: reads the settings of the number, and queues the notifications. It checks nothing. */
export async function handler({ body = '' }: APIGatewayProxyEventV2) {
  const { contacts, messages, metadata }: Value = JSON.parse(body).entry[0].changes[0].value;
  const phoneNumberId = metadata.phone_number_id;
  const subscriber = numberIds.get(phoneNumberId) ?? (await findNumberId(phoneNumberId));
  const { Items = [] } = await client.send(new QueryCommand(settingsQuery(tableName, subscriber)));
  const target_version = Number(Items.find(({ sk }) => sk === webhookSk)?.version);
  const created_at = Date.now();
  const attempts = messages.map((message): FirstAttempt => {
    const text = JSON.stringify({ contacts, messages: [message] });
    const address = { subscriber, target: 'webhook', id: newId() } as const;
    return { task: 'deliver', ...address, kind: 'message', payload: { text }, created_at, target_version };
  });
  await queue.send(new SendMessageBatchCommand(batchToQueue(queueUrl, attempts)));
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"success":true}' };
}

async function findNumberId(phoneNumberId: string): Promise<string> {
  const { Item } = await client.send(new GetCommand(numberIdRead(tableName, phoneNumberId)));
  const number = String(Item?.number);
  numberIds.set(phoneNumberId, number);
  return number;
}
