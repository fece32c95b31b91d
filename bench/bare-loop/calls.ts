import { keys } from '#shared/aws/keys.ts';
import type { Lease } from '#shared/base/time-limits.ts';
import type { AttemptRecord } from '#shared/delivery/delivery.ts';
import type { FirstAttempt } from '#shared/delivery/notification.ts';

/**
 * The inputs of the product's SDK calls for a notification, written out. Their test compares them with the product's.
 */

const lifeSeconds = 30 * 86_400;

/** Ingestion learns once which number a phone number id is of. */
export const numberIdRead = (TableName: string, phoneNumberId: string) => ({
  TableName,
  Key: keys.phoneNumberId(phoneNumberId),
  ConsistentRead: true,
});

export const batchToQueue = (QueueUrl: string, messages: readonly FirstAttempt[]) => ({
  QueueUrl,
  Entries: messages.map((message, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(message),
    MessageGroupId: message.subscriber,
  })),
});

/** Ingestion reads the settings of a number for each request, a delivery process for each batch. */
export const settingsQuery = (TableName: string, number: string) => ({
  TableName,
  ConsistentRead: true,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': keys.number(number).pk },
});

/** A delivery process reads the secrets of a number once in ten minutes. */
export const secretsRead = (TableName: string, number: string) => ({
  TableName,
  ConsistentRead: true,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': keys.secrets(number).pk },
});

export const claim = (TableName: string, message: FirstAttempt, lease: Lease) => ({
  TableName,
  Item: {
    ...keys.delivery(message.subscriber, message.target, message.id),
    id: message.id,
    subscriber: message.subscriber,
    target: message.target,
    kind: message.kind,
    payload: message.payload,
    state: 'sending',
    attempt_count: 0,
    attempts: [],
    replays: [],
    target_version: message.target_version,
    created_at: message.created_at,
    lease,
    expires_at_seconds: Math.ceil(message.created_at / 1000) + lifeSeconds,
  },
  ConditionExpression: 'attribute_not_exists(#id)',
  ExpressionAttributeNames: { '#id': 'id' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

export const record = (
  TableName: string,
  { subscriber, target, id }: FirstAttempt,
  { holder }: Lease,
  attempt: AttemptRecord,
) => ({
  TableName,
  Key: keys.delivery(subscriber, target, id),
  UpdateExpression:
    'SET #state = :state, #attempt_count = :attempt_count, #attempts = :attempts REMOVE #gsi1pk, #gsi1sk, #gsi2pk, #gsi2sk, #lease, #previous_state, #next_attempt_at',
  ConditionExpression: '#state = :is_sending AND #lease.#holder = :if_holder',
  ExpressionAttributeNames: {
    '#state': 'state',
    '#attempt_count': 'attempt_count',
    '#attempts': 'attempts',
    '#gsi1pk': 'gsi1pk',
    '#gsi1sk': 'gsi1sk',
    '#gsi2pk': 'gsi2pk',
    '#gsi2sk': 'gsi2sk',
    '#lease': 'lease',
    '#previous_state': 'previous_state',
    '#next_attempt_at': 'next_attempt_at',
    '#holder': 'holder',
  },
  ExpressionAttributeValues: {
    ':state': 'delivered',
    ':attempt_count': 1,
    ':attempts': [attempt],
    ':is_sending': 'sending',
    ':if_holder': holder,
  },
});
