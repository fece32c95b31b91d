import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { IndexName } from '#shared/http/contract/contract.ts';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

const indexes: readonly IndexName[] = ['gsi1', 'gsi2'];

/** The service's only table; `shared/adapters/dynamodb/keys.ts` explains its keys. */
export class MessagingTable extends TableV2 {
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

  indexArn(index: IndexName): string {
    return `${this.tableArn}/index/${index}`;
  }
}

function stringKey(name: string) {
  return { name, type: AttributeType.STRING };
}
