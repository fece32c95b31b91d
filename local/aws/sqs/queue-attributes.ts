import * as z from 'zod/mini';
import { AwsError } from '../base/aws-error.ts';
import { parseJson } from '../base/json.ts';

/** Attributes as SQS takes them, for example `{ VisibilityTimeout: '60' }`. */
export type QueueAttributes = Readonly<Record<string, string>>;

/** What the attributes say, with SQS's defaults. */
export interface QueueSettings {
  delaySeconds: number;
  maximumMessageSize: number;
  retentionSeconds: number;
  waitSeconds: number;
  visibilityTimeoutSeconds: number;
  redrivePolicy: { deadLetterTargetArn: string; maxReceiveCount: number } | undefined;
}

/** The limits of the numeric attributes, and their defaults. */
const numericAttributes = {
  DelaySeconds: [0, 900, 0],
  MaximumMessageSize: [1024, 1_048_576, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600, 345_600],
  ReceiveMessageWaitTimeSeconds: [0, 20, 0],
  VisibilityTimeout: [0, 43_200, 30],
} as const;

const redrivePolicySchema = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)),
});

/** Throws `AwsError` `InvalidAttributeName` or `InvalidAttributeValue`. */
export function readQueueAttributes(attributes: QueueAttributes): QueueSettings {
  const unknown = Object.keys(attributes).find(
    (name) => !Object.hasOwn(numericAttributes, name) && name !== 'RedrivePolicy',
  );
  if (unknown !== undefined) throw new AwsError('InvalidAttributeName', `Unknown Attribute ${unknown}.`);
  const numeric = (name: keyof typeof numericAttributes): number => {
    const [min, max, standard] = numericAttributes[name];
    const value = Number(attributes[name] ?? standard);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw invalidValue(name);
  };
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
  const defaults = Object.entries(numericAttributes).map(([name, [, , standard]]) => [name, String(standard)]);
  return { ...Object.fromEntries(defaults), ...attributes };
}

const invalidValue = (name: string) =>
  new AwsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);

/** An empty text removes the policy. */
function readRedrivePolicy(text: string | undefined): QueueSettings['redrivePolicy'] {
  if (!text) return undefined;
  const policy = z.safeParse(redrivePolicySchema, parseJson(text));
  if (policy.success) return policy.data;
  throw invalidValue('RedrivePolicy');
}
