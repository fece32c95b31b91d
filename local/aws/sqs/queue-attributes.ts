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

const defaults = {
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  VisibilityTimeout: '30',
};

/** Does not check limits: cfn-lint checks those of the template. */
export function readQueueAttributes(attributes: QueueAttributes): QueueSettings {
  const numeric = (name: keyof typeof defaults) => Number(attributes[name] ?? defaults[name]);
  const redrivePolicy = attributes.RedrivePolicy === undefined ? undefined : JSON.parse(attributes.RedrivePolicy);
  return {
    delaySeconds: numeric('DelaySeconds'),
    maximumMessageSize: numeric('MaximumMessageSize'),
    retentionSeconds: numeric('MessageRetentionPeriod'),
    waitSeconds: numeric('ReceiveMessageWaitTimeSeconds'),
    visibilityTimeoutSeconds: numeric('VisibilityTimeout'),
    // The SDK may send the number as a text.
    redrivePolicy: redrivePolicy && { ...redrivePolicy, maxReceiveCount: Number(redrivePolicy.maxReceiveCount) },
  };
}

/** The attributes with every numeric one filled in, as GetQueueAttributes shows them. */
export const withDefaults = (attributes: QueueAttributes): QueueAttributes => ({ ...defaults, ...attributes });
