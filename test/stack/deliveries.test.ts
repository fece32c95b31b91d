import { describe, expect, it } from 'vitest';
import { deliverNotifications, sweepDeliveries } from '#functions/operations.ts';
import {
  devTemplate,
  functionNamed,
  prodTemplate,
  render,
  resourcesOfType,
} from '../../support/aws/synthesised-template.ts';

const dev = devTemplate();
const prod = prodTemplate();
const deliverNotificationsFunction = functionNamed(dev, deliverNotifications.name);
const sweepDeliveriesFunction = functionNamed(dev, sweepDeliveries.name);

describe('the event sources of deliver-notifications', () => {
  const mappings = resourcesOfType(dev, 'AWS::Lambda::EventSourceMapping');

  it('are the two notification queues only, and keep their logical ids', () => {
    const sources = mappings.map(({ logicalId, Properties }) => [logicalId, render(Properties.EventSourceArn)]);
    expect(sources).toEqual([
      ['NotificationFeed', '<NotificationQueue.Arn>'],
      ['SlowNotificationFeed', '<SlowNotificationQueue.Arn>'],
    ]);
    for (const { Properties } of mappings) {
      expect(render(Properties.FunctionName)).toBe(`<${deliverNotificationsFunction.logicalId}>`);
    }
  });

  it('deliver ten messages at once, wait for more only for slow targets, and take back individual failures', () => {
    const common = { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] };
    expect(mappings.map(({ Properties }) => Properties)).toMatchObject([
      common,
      { ...common, MaximumBatchingWindowInSeconds: 1 },
    ]);
    expect(mappings[0]?.Properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });

  it.each([
    ['dev', dev, 20, 10],
    ['prod', prod, 160, 20],
  ] as const)('run no more concurrent batches than %s allows', (_, { Resources }, limit, slowLimit) => {
    const feeds = [Resources.NotificationFeed, Resources.SlowNotificationFeed];
    expect(feeds.map((feed) => feed?.Properties.ScalingConfig)).toEqual(
      [limit, slowLimit].map((MaximumConcurrency) => ({ MaximumConcurrency })),
    );
  });
});

describe('the queues', () => {
  it('take messages of up to 1 MiB, whatever the default of SQS is', () => {
    const queues = resourcesOfType<{ MaximumMessageSize: number }>(dev, 'AWS::SQS::Queue');
    expect(queues.map(({ Properties }) => Properties.MaximumMessageSize)).toEqual([1_048_576, 1_048_576, 1_048_576]);
  });
});

describe('the timeouts of a delivery', () => {
  const timeout = deliverNotificationsFunction.Properties.Timeout;
  const attemptMs = Number(deliverNotificationsFunction.Properties.Environment.Variables.DELIVERY_TIMEOUT_MS);

  it('hide a batch for six times the timeout of its function, after the window in which it is gathered', () => {
    for (const { Properties } of resourcesOfType<MappingProperties>(dev, 'AWS::Lambda::EventSourceMapping')) {
      const { VisibilityTimeout } = dev.Resources[Properties.EventSourceArn['Fn::GetAtt'][0]]?.Properties ?? {};
      const window = Properties.MaximumBatchingWindowInSeconds ?? 0;
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeout + window);
    }
  });

  it('end and record an attempt well before the function times out', () => {
    expect(attemptMs).toBe(10_000);
    expect(attemptMs + 10_000).toBeLessThanOrEqual(timeout * 1000);
  });
});

describe('the rule for the sweep', () => {
  const [rule, ...others] = resourcesOfType<RuleProperties>(dev, 'AWS::Events::Rule');

  it('runs the sweep each minute, and does not repeat a missed sweep', () => {
    expect(others).toEqual([]);
    expect(rule?.Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } }],
    });
    expect(rule?.Properties.Targets.map(({ Arn }) => render(Arn))).toEqual([
      `<${sweepDeliveriesFunction.logicalId}.Arn>`,
    ]);
  });

  it('may invoke the sweep, and is the only rule with a permission to invoke', () => {
    const permissions = resourcesOfType(dev, 'AWS::Lambda::Permission')
      .map(({ Properties }) => Properties)
      .filter(({ Principal }) => Principal === 'events.amazonaws.com');
    expect(permissions.map(({ FunctionName, SourceArn }) => [render(FunctionName), render(SourceArn)])).toEqual([
      [`<${sweepDeliveriesFunction.logicalId}.Arn>`, `<${rule?.logicalId}.Arn>`],
    ]);
  });
});

interface MappingProperties {
  EventSourceArn: { 'Fn::GetAtt': [string, string] };
  MaximumBatchingWindowInSeconds?: number;
}

interface RuleProperties {
  ScheduleExpression: string;
  State: string;
  Targets: { Arn: unknown; RetryPolicy: unknown }[];
}
