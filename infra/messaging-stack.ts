import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import {
  deliverNotifications,
  exchangeFlowData,
  graphFunctions,
  operations,
  sweepDeliveries,
} from '#functions/operations.ts';
import { type FunctionDefinition, functionBehind, functionsBehind } from '#shared/operations/contract.ts';
import type { OutputName } from '#shared/operations/stage.ts';
import { codeVersion } from './code-version.ts';
import { type Config, settingsOf } from './config.ts';
import { NotificationFeed, NotificationQueue } from './constructs/notification-queue.ts';
import { CustomDomain, OperationsApi, routeOf, routeWithKey } from './constructs/operations-api.ts';
import { ServiceAlarms } from './constructs/service-alarms.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { ServiceDashboard, serviceMetrics } from './constructs/service-metrics.ts';
import { MessagingBucket, messagingTable } from './constructs/storage.ts';
import { SweepSchedule } from './constructs/sweep-schedule.ts';
import { UpstreamSecret } from './constructs/upstream-secret.ts';

export interface MessagingStackProps {
  config: Config;
  /** The folder with the built functions, each in a folder of its own. */
  functionsDirectory: string;
}

/** The whole service, built from the operation table. */
export class MessagingStack extends Stack {
  constructor(scope: Construct, id: string, { config, functionsDirectory }: MessagingStackProps) {
    super(scope, id, {
      description: `Messaging service in front of the WhatsApp Cloud API (${config.stage})`,
      terminationProtection: config.deletionProtection,
      tags: { service: 'messaging', stage: config.stage },
    });

    // The next deployment compares its own with these.
    this.templateOptions.metadata = { Settings: settingsOf(config) };
    const table = messagingTable(this, 'Table', config);
    const bucket = new MessagingBucket(this, 'Bucket', config);
    const upstreamSecret = new UpstreamSecret(this, 'UpstreamSecret', config);
    const { queue, deadLetterQueue } = new NotificationQueue(this, 'NotificationQueue', config);

    const api = new OperationsApi(this, 'Api', { config });
    const domain = config.domain && new CustomDomain(this, 'CustomDomain', config.domain, api.stage);
    const baseUrl = config.baseUrl ?? api.httpApi.apiEndpoint;
    const identity = {
      baseUrl,
      // This part of the stack's ARN is unique among all stacks, past ones included.
      deploymentId: Fn.select(2, Fn.split('/', this.stackId)),
      ownUrls: [...new Set([baseUrl, api.httpApi.apiEndpoint])].join(','),
    };
    const resources = { api: identity, table, bucket, queue, upstreamSecret };
    const newLogGroup = (id: string) => {
      const { logRetention: retention, removalPolicy } = config;
      return new LogGroup(this, id, { retention, removalPolicy });
    };
    // All operations share one log group: a group with metric filters for each of them would fill the stack. Functions
    // whose events and crashes are counted separately have groups of their own.
    const operationLogs = newLogGroup('OperationLogs');
    const addFunction = (definition: FunctionDefinition, logGroup = operationLogs) => {
      const props = { definition, config, functionsDirectory, resources, logGroup };
      return new ServiceFunction(this, pascalCase(definition.name), props);
    };

    const addFunctionWithRoutes = (definition: FunctionDefinition, logGroup?: LogGroup) => {
      const handler = addFunction(definition, logGroup);
      const served = operations.filter((operation) => functionBehind(operation) === definition.name);
      api.addRoutes([...served.map(routeOf), ...(definition.routes ?? []).map(routeWithKey)], handler);
      return handler;
    };
    const exchangeFlowDataFunction = addFunctionWithRoutes(exchangeFlowData, newLogGroup('ExchangeFlowDataLogs'));
    const others = [...functionsBehind(operations), ...graphFunctions]
      .filter(({ name }) => name !== exchangeFlowData.name)
      .map((definition) => addFunctionWithRoutes(definition));

    const deliverNotificationsFunction = addFunction(deliverNotifications, newLogGroup('DeliverNotificationsLogs'));
    new NotificationFeed(this, 'NotificationFeed', queue, deliverNotificationsFunction, config);
    const sweepDeliveriesFunction = addFunction(sweepDeliveries, newLogGroup('SweepDeliveriesLogs'));
    new SweepSchedule(this, 'SweepSchedule', sweepDeliveriesFunction);

    const metrics = serviceMetrics(this, 'Metrics', {
      stage: api.stage,
      operations: [...others, exchangeFlowDataFunction],
      exchangeFlowData: exchangeFlowDataFunction,
      deliverNotifications: deliverNotificationsFunction,
      sweepDeliveries: sweepDeliveriesFunction,
      queue,
      deadLetterQueue,
    });
    new ServiceAlarms(this, 'Alarms', { config, metrics });
    new ServiceDashboard(this, 'Dashboard', metrics);

    this.#output('ApiUrl', api.httpApi.apiEndpoint);
    this.#output('BaseUrl', baseUrl);
    if (domain) this.#output('DomainTarget', domain.target);
    this.#output('TableName', table.tableName);
    this.#output('BucketName', bucket.bucketName);
    this.#output('UpstreamSecretName', config.secretNames.upstream);
    this.#output('UpstreamBaseUrl', config.upstream.baseUrl);
    this.#output('UpstreamGraphVersion', config.upstream.graphVersion);
    this.#output('NotificationQueueUrl', queue.queueUrl);
    this.#output('DeadLetterQueueUrl', deadLetterQueue.queueUrl);
    this.#output('DeadLetterQueueArn', deadLetterQueue.queueArn);
    this.#output('CodeVersion', codeVersion());
  }

  #output(name: OutputName, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

/** Converts `list-flows` to the function's id `ListFlows` in the template, which `sam local` uses too. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
