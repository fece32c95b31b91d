import { describe, expect, it } from 'vitest';
import { consumer, sweeper } from '#functions/operations.ts';
import { devTemplate, functionNamed, prodTemplate, render, resourcesOfType } from './template.ts';

const dev = devTemplate();
const prod = prodTemplate();
const queue = dev.Resources.NotificationQueue?.Properties ?? {};
const consumerFunction = functionNamed(dev, consumer.name);
const sweeperFunction = functionNamed(dev, sweeper.name);

describe('the event source of the consumer', () => {
  const mappings = resourcesOfType(dev, 'AWS::Lambda::EventSourceMapping');

  it('is the notification queue only, and keeps its logical id', () => {
    expect(mappings.map(({ logicalId }) => logicalId)).toEqual(['NotificationFeed']);
    expect(render(mappings[0]?.Properties.EventSourceArn)).toBe('<NotificationQueue.Arn>');
    expect(render(mappings[0]?.Properties.FunctionName)).toBe(`<${consumerFunction.logicalId}>`);
  });

  it('delivers ten messages at once without waiting for more, and takes back individual failures', () => {
    expect(mappings[0]?.Properties).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(mappings[0]?.Properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });

  it.each([
    ['dev', dev, 20],
    ['prod', prod, 100],
  ] as const)('runs no more concurrent batches than %s allows', (_, template, limit) => {
    expect(template.Resources.NotificationFeed?.Properties.ScalingConfig).toEqual({ MaximumConcurrency: limit });
  });
});

describe('the timeouts of a delivery', () => {
  const timeout = consumerFunction.Properties.Timeout;
  const attemptMs = Number(consumerFunction.Properties.Environment.Variables.DELIVERY_TIMEOUT_MS);

  it('hide a batch for six times the timeout of its function', () => {
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeout);
  });

  it('end and record an attempt well before the function times out', () => {
    expect(attemptMs).toBe(10_000);
    expect(attemptMs + 10_000).toBeLessThanOrEqual(timeout * 1000);
  });
});

describe('the rule for the sweeper', () => {
  const [rule, ...others] = resourcesOfType<RuleProperties>(dev, 'AWS::Events::Rule');

  it('runs the sweeper each minute, and does not repeat a missed sweep', () => {
    expect(others).toEqual([]);
    expect(rule?.Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } }],
    });
    expect(rule?.Properties.Targets.map(({ Arn }) => render(Arn))).toEqual([`<${sweeperFunction.logicalId}.Arn>`]);
  });

  it('may invoke the sweeper, and is the only rule with a permission to invoke', () => {
    const permissions = resourcesOfType(dev, 'AWS::Lambda::Permission')
      .map(({ Properties }) => Properties)
      .filter(({ Principal }) => Principal === 'events.amazonaws.com');
    expect(permissions.map(({ FunctionName, SourceArn }) => [render(FunctionName), render(SourceArn)])).toEqual([
      [`<${sweeperFunction.logicalId}.Arn>`, `<${rule?.logicalId}.Arn>`],
    ]);
  });
});

interface RuleProperties {
  ScheduleExpression: string;
  State: string;
  Targets: { Arn: unknown; RetryPolicy: unknown }[];
}
