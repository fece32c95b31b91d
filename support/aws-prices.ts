/**
 * List prices in us-east-1, in dollars: the pricing pages of Amazon DynamoDB (on-demand, standard class), Amazon SQS
 * (standard queue, with the surcharge of fair queues), AWS Lambda (arm64), Amazon API Gateway (HTTP API), AWS Secrets
 * Manager, Amazon S3 (standard) and Amazon CloudWatch (log ingestion). First tier, no free tier.
 */
export const prices = {
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** A month, with the backups of point-in-time recovery. */
  storedGigabyte: 0.25 + 0.2,
  /** A request covers at most 64 KB. A batch of ten text messages is well below that. */
  queueRequest: (0.4 + 0.1) / 1e6,
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  apiRequest: 1 / 1e6,
  secretRequest: 0.05 / 1e4,
  bucketWrite: 0.005 / 1e3,
  bucketRead: 0.0004 / 1e3,
  loggedGigabyte: 0.5,
} as const;
