import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { IndexUse } from '#shared/http/contract/contract.ts';
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

/** `shared/adapters/dynamodb/table/keys.ts` explains its keys. */
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
