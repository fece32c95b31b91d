import * as z from 'zod/mini';
import { AwsError } from '../base/aws-error.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { largestMessageBytes, longestDelaySeconds, longestVisibilitySeconds, longestWaitSeconds } from './limits.ts';
import { invalidParameter } from './sqs-errors.ts';

/** Attributes as CreateQueue takes them, for example `{ VisibilityTimeout: '60' }`. */
export type QueueAttributes = Record<string, string>;

interface RedrivePolicy {
  deadLetterTargetArn: string;
  maxReceiveCount: number;
}

/** What the attributes say, with SQS's defaults. */
export interface QueueSettings {
  delaySeconds: number;
  maximumMessageSize: number;
  retentionSeconds: number;
  waitSeconds: number;
  visibilityTimeoutSeconds: number;
  redrivePolicy: RedrivePolicy | undefined;
}

interface NumericAttribute {
  min: number;
  max: number;
  standard: number;
}

const numericAttributes = {
  DelaySeconds: { min: 0, max: longestDelaySeconds, standard: 0 },
  MaximumMessageSize: { min: 1024, max: largestMessageBytes, standard: largestMessageBytes },
  MessageRetentionPeriod: { min: 60, max: 1_209_600, standard: 345_600 },
  ReceiveMessageWaitTimeSeconds: { min: 0, max: longestWaitSeconds, standard: 0 },
  VisibilityTimeout: { min: 0, max: longestVisibilitySeconds, standard: 30 },
} satisfies Record<string, NumericAttribute>;

const isRecordText = (text: string) => isRecord(parseJson(text));

/** Stored and returned, but without effect here. Each with what SQS accepts for it. */
const opaqueAttributes: Readonly<Record<string, (text: string) => boolean>> = {
  KmsDataKeyReusePeriodSeconds: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 60 && Number(text) <= 86_400,
  KmsMasterKeyId: () => true,
  Policy: (text) => text === '' || isRecordText(text),
  SqsManagedSseEnabled: (text) => ['true', 'false'].includes(text),
};

/** The names that GetQueueAttributes knows, of standard queues and of FIFO queues. */
export const queueAttributeNames: ReadonlySet<string> = new Set([
  ...Object.keys(numericAttributes),
  ...Object.keys(opaqueAttributes),
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
  'ContentBasedDeduplication',
  'CreatedTimestamp',
  'DeduplicationScope',
  'FifoQueue',
  'FifoThroughputLimit',
  'LastModifiedTimestamp',
  'QueueArn',
  'RedriveAllowPolicy',
  'RedrivePolicy',
]);

/** Throws `AwsError` `InvalidAttributeName`, `InvalidAttributeValue` or `InvalidParameterValue`. */
export function readQueueAttributes(attributes: QueueAttributes): QueueSettings {
  for (const [name, text] of Object.entries(attributes)) {
    if (Object.hasOwn(numericAttributes, name) || name === 'RedrivePolicy') continue;
    if (!Object.hasOwn(opaqueAttributes, name)) {
      throw new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
    }
    if (opaqueAttributes[name]?.(text) === false) throw invalidValue(name);
  }
  const numeric = (name: keyof typeof numericAttributes): number => readNumber(attributes[name], name);
  return {
    delaySeconds: numeric('DelaySeconds'),
    maximumMessageSize: numeric('MaximumMessageSize'),
    retentionSeconds: numeric('MessageRetentionPeriod'),
    waitSeconds: numeric('ReceiveMessageWaitTimeSeconds'),
    visibilityTimeoutSeconds: numeric('VisibilityTimeout'),
    redrivePolicy: readRedrivePolicy(attributes.RedrivePolicy),
  };
}

/** The attributes with every numeric one filled in, as GetQueueAttributes shows them. */
export function withDefaults(attributes: QueueAttributes): QueueAttributes {
  const defaults = Object.entries(numericAttributes).map(([name, { standard }]) => [name, String(standard)]);
  return { ...Object.fromEntries(defaults), ...attributes };
}

function readNumber(text: string | undefined, name: keyof typeof numericAttributes): number {
  const { min, max, standard } = numericAttributes[name];
  if (text === undefined) return standard;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw invalidValue(name);
}

const invalidValue = (name: string) =>
  new AwsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);

const redrivePolicySchema = z.object({
  deadLetterTargetArn: z.string().check(z.regex(/^arn:aws:sqs:[a-z0-9-]+:\d{12}:[\w-]{1,80}$/)),
  maxReceiveCount: z.union([z.number(), z.pipe(z.string(), z.transform(Number))]).check(z.int(), z.gte(1), z.lte(1000)),
});

/** An empty text removes the policy. */
function readRedrivePolicy(text: string | undefined): RedrivePolicy | undefined {
  if (!text) return undefined;
  const policy = z.safeParse(redrivePolicySchema, parseJson(text));
  if (policy.success) return policy.data;
  const member = policy.error.issues[0]?.path.join('.');
  const reason = member ? `Invalid value for ${member}.` : 'Redrive policy is not a valid JSON map.';
  throw invalidParameter(text, 'RedrivePolicy', reason);
}
