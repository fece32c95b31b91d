import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { accountId } from '#local/aws/base/account.ts';
import type { MessageSource, ReceivedMessage } from '#local/aws/sqs/queue/message.ts';
import type { QueueService } from '#local/aws/stack/queues.ts';
import type { SecretService } from '#local/aws/stack/secrets.ts';
import type { StartServices } from '#local/services.ts';
import { startMoto } from './moto.ts';

/** SQS, S3 and Secrets Manager from a moto server of its own for each world. `program` is what starts one. */
export function servicesOfMoto(program: string | undefined): StartServices | undefined {
  if (!program) return undefined;
  return async (parts, { stack, buckets }) => {
    const { url: endpoint } = await parts.start(startMoto(program));
    const connection = { endpoint, region: stack.region, credentials: stack.administrator };
    const s3 = new S3Client(connection);
    for (const Bucket of buckets) await s3.send(new CreateBucketCommand({ Bucket }));
    return {
      sqs: queueService(new SQSClient(connection), endpoint),
      s3: { url: endpoint },
      secretsManager: secretService(new SecretsManagerClient(connection), endpoint),
    };
  };
}

function queueService(client: SQSClient, url: string): QueueService {
  const queueUrl = (name: string) => `${url}/${accountId}/${name}`;
  return {
    url,
    queueUrl,
    createQueue: (QueueName, Attributes) => client.send(new CreateQueueCommand({ QueueName, Attributes })),
    queue: (name): MessageSource => ({
      async receive({ maxMessages: MaxNumberOfMessages, waitSeconds, signal: abortSignal }) {
        const input = {
          ...{ QueueUrl: queueUrl(name), MaxNumberOfMessages, WaitTimeSeconds: Math.ceil(waitSeconds) },
          ...{ MessageSystemAttributeNames: ['All' as const], MessageAttributeNames: ['All'] },
        };
        const { Messages = [] } = await client.send(new ReceiveMessageCommand(input), {
          ...(abortSignal && { abortSignal }),
        });
        return Messages.map(received);
      },
      async delete(ReceiptHandle) {
        await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl(name), ReceiptHandle }));
      },
    }),
  };
}

const received = ({ MessageId, ReceiptHandle, Body, MD5OfBody, Attributes }: Message): ReceivedMessage => ({
  ...{ messageId: String(MessageId), receiptHandle: String(ReceiptHandle), body: String(Body) },
  ...{ md5OfBody: String(MD5OfBody), attributes: { ...Attributes } },
});

function secretService(client: SecretsManagerClient, url: string): SecretService {
  const find = async (SecretId: string) =>
    (await unlessMissing(client.send(new DescribeSecretCommand({ SecretId }))))?.ARN;
  return {
    url,
    find,
    read: async (SecretId) => (await unlessMissing(client.send(new GetSecretValueCommand({ SecretId }))))?.SecretString,
    async put(name, SecretString) {
      const { ARN } =
        (await find(name)) === undefined
          ? await client.send(new CreateSecretCommand({ Name: name, SecretString }))
          : await client.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
      return String(ARN);
    },
  };
}

async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
