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

describe('the event source of deliver-notifications', () => {
  const mappings = resourcesOfType(dev, 'AWS::Lambda::EventSourceMapping');
  const properties = mappings[0]?.Properties ?? {};

  it('is the notification queue only, and keeps its logical id', () => {
    expect(mappings.map(({ logicalId }) => logicalId)).toEqual(['NotificationFeed']);
    expect(render(properties.EventSourceArn)).toBe('<NotificationQueue.Arn>');
    expect(render(properties.FunctionName)).toBe(`<${deliverNotificationsFunction.logicalId}>`);
  });

  it('delivers ten messages at once, does not wait for more, and takes back individual failures', () => {
    expect(properties).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });

  it.each([
    ['dev', dev, 30],
    ['prod', prod, 180],
  ] as const)('runs no more concurrent batches than %s allows', (_, { Resources }, MaximumConcurrency) => {
    expect(Resources.NotificationFeed?.Properties.ScalingConfig).toEqual({ MaximumConcurrency });
  });
});

describe('the queues', () => {
  it('take messages of up to 1 MiB, whatever the default of SQS is', () => {
    const queues = resourcesOfType<{ MaximumMessageSize: number }>(dev, 'AWS::SQS::Queue');
    expect(queues.map(({ Properties }) => Properties.MaximumMessageSize)).toEqual([1_048_576, 1_048_576]);
  });
});

describe('the timeouts of a delivery', () => {
  const timeout = deliverNotificationsFunction.Properties.Timeout;
  const attemptMs = Number(deliverNotificationsFunction.Properties.Environment.Variables.DELIVERY_TIMEOUT_MS);

  it('hide a batch for six times the timeout of its function', () => {
    const { VisibilityTimeout } = dev.Resources.NotificationQueue?.Properties ?? {};
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeout);
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

interface RuleProperties {
  ScheduleExpression: string;
  State: string;
  Targets: { Arn: unknown; RetryPolicy: unknown }[];
}
