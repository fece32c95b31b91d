/** When the prices were last compared with the pages below. */
export const pricesDate = '2026-11-24';

/** Where AWS publishes the prices. */
export const pricePages = {
  'API Gateway': 'https://aws.amazon.com/api-gateway/pricing/',
  CloudWatch: 'https://aws.amazon.com/cloudwatch/pricing/',
  DynamoDB: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  'EC2, data transfer': 'https://aws.amazon.com/ec2/pricing/on-demand/',
  Lambda: 'https://aws.amazon.com/lambda/pricing/',
  S3: 'https://aws.amazon.com/s3/pricing/',
  'Secrets Manager': 'https://aws.amazon.com/secrets-manager/pricing/',
  SQS: 'https://aws.amazon.com/sqs/pricing/',
  'X-Ray': 'https://aws.amazon.com/xray/pricing/',
} as const;

/**
 * List prices in us-east-1, in dollars: DynamoDB on demand in the standard class, standard queues, Lambda on arm64, an
 * HTTP API. The first tier of each, without the free tier.
 */
export const prices = {
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** A month, with the backups of point-in-time recovery. */
  storedGigabyte: 0.25 + 0.2,
  /**
   * With the surcharge of fair queues. A request covers at most 64 KB. A batch of ten text messages is well below that.
   */
  queueRequest: (0.4 + 0.1) / 1e6,
  /** A receive that finds nothing has no message groups. */
  emptyReceive: 0.4 / 1e6,
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  apiRequest: 1 / 1e6,
  secretMonth: 0.4,
  secretRequest: 0.05 / 1e4,
  bucketWrite: 0.005 / 1e3,
  bucketRead: 0.0004 / 1e3,
  bucketGigabyte: 0.023,
  loggedGigabyte: 0.5,
  /** A month, of the compressed log. */
  keptLogGigabyte: 0.03,
  /** A month, for each metric that an alarm watches. */
  alarmMetric: 0.1,
  /** A month in which it got values. */
  customMetric: 0.3,
  dashboard: 3,
  trace: 5 / 1e6,
  sentGigabyte: 0.09,
} as const;

/** What AWS charges by use, without stored data and monthly charges. */
export interface Usage {
  apiRequests: number;
  invocations: number;
  gigabyteSeconds: number;
  queueRequests: number;
  writeUnits: number;
  readUnits: number;
  secretRequests: number;
  loggedBytes: number;
  /** To the internet. */
  sentBytes: number;
}

/** What the usage costs, by what is charged for. */
export function dollarsOf(usage: Usage) {
  return {
    'API Gateway': usage.apiRequests * prices.apiRequest,
    Lambda: usage.invocations * prices.invocation + usage.gigabyteSeconds * prices.gigabyteSecond,
    SQS: usage.queueRequests * prices.queueRequest,
    DynamoDB: usage.writeUnits * prices.writeUnit + usage.readUnits * prices.readUnit,
    'Secrets Manager': usage.secretRequests * prices.secretRequest,
    Logs: (usage.loggedBytes / 1e9) * prices.loggedGigabyte,
    'Data out': (usage.sentBytes / 1e9) * prices.sentGigabyte,
  };
}
