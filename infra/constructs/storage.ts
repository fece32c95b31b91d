import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { deliveryKeptDays } from '#shared/delivery/delivery.ts';
import { mediaCopyKeptDays, uploadKeptDays } from '#shared/media/media-limits.ts';
import type { IndexUse } from '#shared/operations/contract.ts';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

const indexes: readonly (keyof IndexUse)[] = ['gsi1', 'gsi2'];

export type ServiceTable = Pick<ITableV2, 'tableName' | 'tableArn'>;

/**
 * The service's only table: a new one, or an existing one that has its keys and indexes. The stack manages none of the
 * settings of an existing table.
 */
export function messagingTable(scope: Construct, id: string, config: Config): ServiceTable {
  const name = config.existing.table;
  return name === undefined ? new MessagingTable(scope, id, config) : TableV2.fromTableName(scope, id, name);
}

/** `shared/aws/keys.ts` explains its keys. */
class MessagingTable extends TableV2 {
  constructor(scope: Construct, id: string, { removalPolicy, deletionProtection }: Config) {
    super(scope, id, {
      partitionKey: stringKey('pk'),
      sortKey: stringKey('sk'),
      globalSecondaryIndexes: indexes.map((indexName) => ({
        indexName,
        partitionKey: stringKey(`${indexName}pk`),
        sortKey: stringKey(`${indexName}sk`),
        projectionType: ProjectionType.KEYS_ONLY,
      })),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expires_at_seconds',
      // A rollback could not delete a protected table and would fail, so it retains the table.
      removalPolicy: deletionProtection ? RemovalPolicy.RETAIN : removalPolicy,
      deletionProtection,
    });
    pinLogicalId(this, id);
  }
}

function stringKey(name: string) {
  return { name, type: AttributeType.STRING };
}

/** Stores values that are too large for an item of the table, and files that are too large for a response. */
export class MessagingBucket extends Bucket {
  constructor(scope: Construct, id: string, { removalPolicy }: Config) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // A day longer than the delivery log, whose entries refer to these objects.
        { prefix: 'notifications/', expiration: Duration.days(deliveryKeptDays + 1) },
        // A day longer than the service hands out a copy.
        { prefix: 'media/', expiration: Duration.days(mediaCopyKeptDays + 1) },
        // A day longer than an upload can be completed.
        { prefix: 'uploads/', expiration: Duration.days(uploadKeptDays + 1) },
      ],
      removalPolicy,
    });
    pinLogicalId(this, id);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only the functions reach the bucket, each by its own role; what they do is in their logs.',
    });
  }
}
