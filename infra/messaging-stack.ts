import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { authorizer, consumer, flowEndpoint, operations, sweeper } from '#functions/operations.ts';
import type { Contract, FunctionDefinition } from '#shared/http/contract.ts';
import type { Config } from './config.ts';
import { MessagingBucket } from './constructs/messaging-bucket.ts';
import { MessagingTable } from './constructs/messaging-table.ts';
import { NotificationFeed } from './constructs/notification-feed.ts';
import { NotificationQueue } from './constructs/notification-queue.ts';
import { OperationsApi } from './constructs/operations-api.ts';
import { ServiceAlarms } from './constructs/service-alarms.ts';
import { ServiceDashboard } from './constructs/service-dashboard.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { ServiceMetrics } from './constructs/service-metrics.ts';
import { SweepSchedule } from './constructs/sweep-schedule.ts';
import { UpstreamSecret } from './constructs/upstream-secret.ts';

export interface MessagingStackProps {
  config: Config;
  /** Holds the built functions, a folder each. */
  functionsDirectory: string;
}

/** The whole service, drawn from the operation table. */
export class MessagingStack extends Stack {
  constructor(scope: Construct, id: string, { config, functionsDirectory }: MessagingStackProps) {
    super(scope, id, {
      description: `Messaging service in front of the WhatsApp Cloud API (${config.stage})`,
      terminationProtection: config.deletionProtection,
      tags: { service: 'messaging', stage: config.stage },
    });

    const table = new MessagingTable(this, 'Table', config);
    const bucket = new MessagingBucket(this, 'Bucket', config);
    const upstreamSecret = new UpstreamSecret(this, 'UpstreamSecret', config);
    const { queue, deadLetterQueue } = new NotificationQueue(this, 'NotificationQueue', config);

    const addFunction = (definition: FunctionDefinition, environment: Record<string, string> = {}) =>
      new ServiceFunction(this, pascalCase(definition.name), {
        definition,
        environment,
        config,
        functionsDirectory,
        resources: { table, bucket, queue, upstreamSecret },
      });

    const authorizerFunction = addFunction(authorizer);
    const api = new OperationsApi(this, 'Api', { config, authorizer: authorizerFunction });
    const baseUrl = config.baseUrl ?? api.httpApi.apiEndpoint;
    const identity = {
      // Of the stack's ARN the part that no other stack ever has.
      DEPLOYMENT_ID: Fn.select(2, Fn.split('/', this.stackId)),
      OWN_URLS: [...new Set([baseUrl, api.httpApi.apiEndpoint])].join(','),
    };
    const addOperation = (contract: Contract) => {
      const handler = addFunction(contract, { ...identity, BASE_URL: baseUrl, OUTGOING_ALLOWED_CIDRS: '' });
      api.addOperation(contract, handler);
      return handler;
    };
    const flowEndpointFunction = addOperation(flowEndpoint);
    const others = operations.filter((contract) => contract !== flowEndpoint).map(addOperation);

    const consumerFunction = addFunction(consumer, { ...identity, DELIVERY_RETRY_SCHEDULE: '' });
    new NotificationFeed(this, 'NotificationFeed', { consumer: consumerFunction, queue, config });
    const sweeperFunction = addFunction(sweeper);
    new SweepSchedule(this, 'SweepSchedule', sweeperFunction);

    const metrics = new ServiceMetrics(this, 'Metrics', {
      stage: api.stage,
      operations: [...others, flowEndpointFunction],
      flowEndpoint: flowEndpointFunction,
      authorizer: authorizerFunction,
      consumer: consumerFunction,
      sweeper: sweeperFunction,
      queue,
      deadLetterQueue,
    });
    new ServiceAlarms(this, 'Alarms', { config, metrics });
    new ServiceDashboard(this, 'Dashboard', metrics);

    this.#output('ApiUrl', api.httpApi.apiEndpoint);
    this.#output('TableName', table.tableName);
    this.#output('BucketName', bucket.bucketName);
    this.#output('UpstreamSecretName', config.secretNames.upstream);
    this.#output('NotificationQueueUrl', queue.queueUrl);
    this.#output('DeadLetterQueueUrl', deadLetterQueue.queueUrl);
    this.#output('DeadLetterQueueArn', deadLetterQueue.queueArn);
  }

  #output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

/** `list-flows` is the function `ListFlows`: its id in the template is also what `sam local` knows it by. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
