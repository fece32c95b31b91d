import { join } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type IndexName, indexPartitions } from '#shared/aws/keys.ts';
import { defaultTimeoutSeconds } from '#shared/base/time-limits.ts';
import {
  defaultMemoryMegabytes,
  type FunctionDefinition,
  type Uses,
  type Variable,
  variablesFor,
} from '#shared/operations/contract.ts';
import type { Config } from '../config.ts';
import type { MessagingBucket, ServiceTable } from './storage.ts';
import type { UpstreamSecret } from './upstream-secret.ts';

/** Identifies the deployment, for itself and for others. */
export interface ApiIdentity {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  /** Distinguishes this deployment from all others. */
  deploymentId: string;
  /** All addresses of the API, separated by commas. */
  ownUrls: string;
}

/** The resources that functions may use. */
interface ServiceResources {
  api: ApiIdentity;
  table: ServiceTable;
  bucket: MessagingBucket;
  /** The notification queue. */
  queue: IQueue;
  upstreamSecret: UpstreamSecret;
}

export interface ServiceFunctionProps {
  definition: FunctionDefinition;
  /** The folder with the built functions, each in a folder of its own. */
  functionsDirectory: string;
  config: Config;
  resources: ServiceResources;
  /** Where the function writes its log. */
  logGroup: ILogGroup;
}

/** A function of the operation table, with a role that allows only what its definition declares. */
export class ServiceFunction extends LambdaFunction {
  readonly definition: FunctionDefinition;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { definition, config, resources, functionsDirectory, logGroup } = props;
    const role = new FunctionRole(scope, `${id}Role`);
    for (const statement of statements(definition.uses, resources)) role.addToPrincipalPolicy(statement);
    logGroup.grantWrite(role);

    super(scope, id, {
      description: definition.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: config.architecture,
      code: Code.fromAsset(join(functionsDirectory, definition.name)),
      handler: 'index.handler',
      memorySize: definition.memoryMegabytes ?? defaultMemoryMegabytes,
      timeout: Duration.seconds(definition.timeoutSeconds ?? defaultTimeoutSeconds),
      ...reservation(definition, config),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // `deliver-notifications` sends messages to the queue that feeds it. Lambda would stop a chain of them after 16
      // hops, which a long drain exceeds (Lambda Developer Guide, "Use Lambda recursive loop detection").
      ...(definition.traffic === 'deliveries' && { recursiveLoop: RecursiveLoop.ALLOW }),
      tracing: isTraced(definition) ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: environment(definition, resources, config),
    });
    this.definition = definition;
    // The CDK lets a function wait for its role. CloudFormation does that by itself, as the function names it.
    (this.node.defaultChild as CfnFunction).addDeletionOverride('DependsOn');
    Validations.of(role).acknowledge(...wildcards(definition, config));
    if (!isTraced(definition)) {
      const reason = 'Traces of notifications would cost more than the notifications.';
      Validations.of(this).acknowledge({ id: 'Serverless-LambdaTracing', reason });
    }
  }
}

/**
 * A function's role with its permissions inside. A policy beside each role would count as a resource of its own, and a
 * stack may have no more than 500.
 */
class FunctionRole extends Role {
  readonly #permissions: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const permissions = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Permissions: permissions },
    });
    this.#permissions = permissions;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#permissions.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/**
 * A trace shows little more than how long a function ran, which its metrics show, too. When there are few
 * notifications, their traces would cost more than all the rest (see the costs in docs/deploying.md).
 */
const isTraced = ({ traffic }: FunctionDefinition) => traffic !== 'events' && traffic !== 'deliveries';

function reservation({ traffic }: FunctionDefinition, { limits, reservesConcurrency }: Config) {
  const concurrency = traffic && limits[traffic].concurrency;
  return reservesConcurrency && concurrency !== undefined ? { reservedConcurrentExecutions: concurrency } : {};
}

/** Builds the smallest set of permissions that covers `uses`. */
function statements(uses: Uses, { table, bucket, queue, upstreamSecret }: ServiceResources): PolicyStatement[] {
  const { table: items = {}, indexes = {}, bucket: { ListBucket, ...objects } = {} } = uses;
  const wanted: Permission[] = [
    ...groupByTargets(items).map(
      ([actions, partitions]): Permission => [
        actions.map((action) => `dynamodb:${action}`),
        [table.tableArn],
        leadingKeys(partitions),
      ],
    ),
    ...Object.entries(indexes).map(
      ([index, partitions]): Permission => [
        ['dynamodb:Query'],
        [`${table.tableArn}/index/${index}`],
        leadingKeys([...partitions, ...tablePartitionsOf(index, partitions)]),
      ],
    ),
    ...groupByTargets(objects).map(
      ([actions, prefixes]): Permission => [
        actions.map((action) => `s3:${action}`),
        prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`)),
      ],
    ),
    [ListBucket ? ['s3:ListBucket'] : [], [bucket.bucketArn], prefixConditions(ListBucket ?? [])],
    [uses.queue ? ['sqs:SendMessage'] : [], [queue.queueArn]],
    [
      readsCredentials(uses) ? ['secretsmanager:GetSecretValue'] : [],
      [upstreamSecret.secretArn, ...(readsOwnCredentials(uses) ? [upstreamSecret.ownCredentialsArn] : [])],
    ],
    [uses.flowKeys ? ['secretsmanager:GetSecretValue'] : [], [upstreamSecret.flowKeysArn]],
    [uses.flowKeys === 'create' ? ['secretsmanager:CreateSecret'] : [], [upstreamSecret.flowKeysArn]],
  ];
  return wanted
    .filter(([actions, resources]) => actions.length > 0 && resources.length > 0)
    .map(([actions, resources, conditions]) => new PolicyStatement({ actions, resources, ...conditions }));
}

type Permission = [actions: string[], resources: string[], conditions?: Conditions];

type Conditions = Required<Pick<PolicyStatementProps, 'conditions'>>;

/** Groups the actions that are allowed on the same partitions or prefixes. */
function groupByTargets(
  use: Readonly<Record<string, readonly string[]>>,
): [actions: string[], on: readonly string[]][] {
  const byValues = Map.groupBy(Object.entries(use), ([, on]) => on.toSorted().join());
  return [...byValues.values()].map((group) => [group.map(([action]) => action), group[0]?.[1] ?? []]);
}

/**
 * The partitions of the items that an index finds. To continue a query, a request names the last item's key in the
 * table as well, and AWS does not say whether a condition compares that (docs/decisions/rights.md).
 */
function tablePartitionsOf(index: string, partitions: readonly string[]): string[] {
  const found: Readonly<Record<string, string>> = indexPartitions[index as IndexName];
  return partitions.flatMap((partition) => found[partition] ?? []);
}

/** Limits access to these partitions of the table or an index. `ForAllValues` alone holds for a request without keys. */
function leadingKeys(partitions: readonly string[]): Conditions {
  const patterns = [...new Set(partitions)].sort().map((each) => (each.endsWith('#') ? `${each}*` : each));
  return {
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  };
}

/** Limits lists to keys with these prefixes. For a missing object, S3 compares its key (docs/decisions/rights.md). */
const prefixConditions = (prefixes: readonly string[]): Conditions => ({
  conditions: { StringLike: { 's3:prefix': prefixes.map((prefix) => `${prefix}*`) } },
});

function readsCredentials({ upstream, credentials }: Uses): boolean {
  return upstream !== undefined || credentials !== undefined;
}

/** Whether the function reads the credentials of workspaces. */
function readsOwnCredentials({ upstream, credentials }: Uses): boolean {
  return upstream !== undefined || credentials === 'of-workspaces';
}

/**
 * Returns the variables that the function reads and, for `sam local`, those that point the SDK to the local AWS
 * services.
 */
function environment(
  definition: FunctionDefinition,
  { api, table, bucket, queue }: ServiceResources,
  { upstream, secretNames, deliveryTimeoutMs, declaresAwsEndpoints }: Config,
): Record<string, string> {
  const { uses } = definition;
  const values: Record<Variable, () => string> = {
    BASE_URL: () => api.baseUrl,
    PUBLIC_URL: () => api.baseUrl,
    DEPLOYMENT_ID: () => api.deploymentId,
    OWN_URLS: () => api.ownUrls,
    TABLE_NAME: () => table.tableName,
    BUCKET_NAME: () => bucket.bucketName,
    QUEUE_URL: () => queue.queueUrl,
    EGRESS_ALLOWED_CIDRS: () => '',
    DELIVERY_TIMEOUT_MS: () => String(deliveryTimeoutMs),
    DELIVERY_RETRY_SCHEDULE: () => '',
    UPSTREAM_BASE_URL: () => upstream.baseUrl,
    UPSTREAM_GRAPH_VERSION: () => upstream.graphVersion,
    UPSTREAM_MEDIA_HOSTS: () => upstream.mediaHosts,
    UPSTREAM_TIMEOUT_MS: () => String(upstream.timeoutMs),
    UPSTREAM_SECRET_ID: () => secretNames.upstream,
  };
  return {
    ...Object.fromEntries(variablesFor(definition).map((name) => [name, values[name]()])),
    ...(declaresAwsEndpoints && {
      ...(uses.table && { AWS_ENDPOINT_URL_DYNAMODB: '' }),
      ...(uses.bucket && { AWS_ENDPOINT_URL_S3: '' }),
      ...(uses.queue && { AWS_ENDPOINT_URL_SQS: '' }),
      ...(readsCredentials(uses) && { AWS_ENDPOINT_URL_SECRETS_MANAGER: '' }),
    }),
  };
}

/** Returns the role's wildcards, each with its reason. */
function wildcards(definition: FunctionDefinition, { secretNames }: Config) {
  const { uses } = definition;
  const { bucket: { ListBucket: _, ...objects } = {}, flowKeys } = uses;
  const bucketPrefixes = new Set(Object.values(objects).flat());
  const traces = 'X-Ray takes traces for no particular resource.';
  return [
    ...(isTraced(definition)
      ? [
          { id: 'AwsSolutions-IAM5[Resource::*]', reason: traces },
          { id: 'Serverless-LambdaStarPermissions', reason: traces },
        ]
      : []),
    ...[...bucketPrefixes].map((prefix) => ({
      id: `AwsSolutions-IAM5[Resource::<Bucket.Arn>/${prefix}*]`,
      reason: 'The keys of objects are only known when they are made.',
    })),
    ...(flowKeys
      ? [secretsNamed(secretNames.flowKeys, 'Workspaces come later, each with a secret for the keys of its Flows.')]
      : []),
    ...(readsOwnCredentials(uses)
      ? [secretsNamed(secretNames.ownCredentials, 'Workspaces come later, and may have credentials of their own.')]
      : []),
  ];
}

const secretsNamed = (prefix: string, reason: string) => ({
  id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${prefix}*]`,
  reason,
});
