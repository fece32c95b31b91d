import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { deliverNotifications, sweepDeliveries } from '#functions/operations.ts';
import { longestDelaySeconds } from '#shared/delivery/delivery.ts';
import {
  devTemplate,
  functionNamed,
  prodTemplate,
  render,
  resourcesOfType,
} from '../../support/aws/synthesised-template.ts';

interface AlarmProperties {
  AlarmDescription: string;
  AlarmActions?: unknown[];
  MetricName?: string;
  Threshold: number;
  Namespace?: string;
  TreatMissingData: string;
}

interface FilterProperties {
  FilterPattern: string;
  LogGroupName: unknown;
  MetricTransformations: { MetricName: string; MetricNamespace: string; MetricValue: string }[];
}

const dev = devTemplate();
const prod = prodTemplate();
const alarmsOf = (template: typeof dev) =>
  resourcesOfType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

describe('the alarms', () => {
  it('describe what users notice and what to do', () => {
    expect(alarmsOf(dev)).toHaveLength(12);
    for (const { AlarmDescription, TreatMissingData, MetricName } of alarmsOf(dev)) {
      expect(AlarmDescription).toMatch(/^Impact: .+\nWhat to do: .+/);
      expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
      expect(TreatMissingData).toBe(MetricName === 'Invocations' ? 'breaching' : 'notBreaching');
    }
  });

  it('name the command where credentials have to be stored', () => {
    const credentials = alarmsOf(prod).find(({ MetricName }) => /CredentialsRejected/i.test(String(MetricName)));
    expect(credentials?.AlarmDescription).toContain('./messaging upstream set --stage prod');
  });

  it('have names that no other stage has, by which they are found', () => {
    for (const { logicalId } of resourcesOfType(prod, 'AWS::CloudWatch::Alarm'))
      expect(logicalId).toMatch(/^Alarms[A-Z]/);
  });

  it('are all explained in docs/operating.md', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
    const [, section = ''] = /^## Alarms$(.*?)^## /ms.exec(guide) ?? [];
    const explained = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    const names = resourcesOfType(dev, 'AWS::CloudWatch::Alarm').map(
      ({ Metadata }) => String(Metadata['aws:cdk:path']).split('/')[2],
    );
    expect(explained.sort()).toEqual(names.sort());
  });

  it('are mailed if an address is configured', () => {
    const [topic] = resourcesOfType(prod, 'AWS::SNS::Topic');
    for (const { AlarmActions } of alarmsOf(prod)) expect(AlarmActions?.map(render)).toEqual([`<${topic?.logicalId}>`]);
    expect(resourcesOfType(prod, 'AWS::SNS::Subscription').map(({ Properties }) => Properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'operator@example.com' },
    ]);
    expect(resourcesOfType(prod, 'AWS::SNS::TopicPolicy').map(({ Properties }) => Properties)).toMatchObject([
      {
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({
              Effect: 'Allow',
              Action: 'sns:Publish',
              Principal: { Service: 'cloudwatch.amazonaws.com' },
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            }),
          ]),
        },
      },
    ]);
  });

  it('are only displayed if no address is configured', () => {
    for (const alarm of alarmsOf(dev)) expect(alarm).not.toHaveProperty('AlarmActions');
    expect(resourcesOfType(dev, 'AWS::SNS::Topic')).toEqual([]);
  });
});

describe('the alarms of deliveries', () => {
  const alarm = (name: string) => {
    const found = resourcesOfType<AlarmProperties>(dev, 'AWS::CloudWatch::Alarm').find(({ Metadata }) =>
      String(Metadata['aws:cdk:path']).endsWith(`/${name}/Resource`),
    );
    if (!found) throw new Error(`There is no alarm ${name}`);
    return found.Properties;
  };
  const functionOf = (name: string) => [{ Name: 'FunctionName', Value: { Ref: functionNamed(dev, name).logicalId } }];

  it('SweepErrors watches the errors of the sweep', () => {
    expect(alarm('SweepErrors')).toMatchObject({ MetricName: 'Errors', Dimensions: functionOf(sweepDeliveries.name) });
  });

  it('DeadLetters watches the dead-letter queue, and explains how to redrive it', () => {
    expect(alarm('DeadLetters')).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['NotificationQueueDeadLetters', 'QueueName'] } }],
      Threshold: 1,
    });
    expect(alarm('DeadLetters').AlarmDescription).toContain('aws sqs start-message-move-task');
  });

  it('DeliveryBacklog does not count delays as a backlog, and explains what it does not see', () => {
    expect(alarm('DeliveryBacklog')).toMatchObject({ MetricName: 'ApproximateAgeOfOldestMessage' });
    expect(alarm('DeliveryBacklog').Threshold).toBeGreaterThan(longestDelaySeconds);
    expect(alarm('DeliveryBacklog').AlarmDescription).toContain('more than three times');
  });

  it('SweepMissing goes off when the sweep does not run for five minutes, which leaves no data', () => {
    expect(alarm('SweepMissing')).toMatchObject({
      MetricName: 'Invocations',
      Dimensions: functionOf(sweepDeliveries.name),
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      DatapointsToAlarm: 5,
      EvaluationPeriods: 5,
      TreatMissingData: 'breaching',
    });
  });

  it('TargetsPaused says that it is for information, and how to resume a webhook', () => {
    expect(alarm('TargetsPaused').AlarmDescription).toMatch(/For your information.*webhook\/resume/s);
  });
});

describe.each([
  ['FunctionFailures', 'request.failed', 'create-flow'],
  ['UpstreamCredentialsRejected', 'upstream.credentials-rejected', 'create-flow'],
  ['UpstreamFailures', 'upstream.failed', 'create-flow'],
  ['DeliveryFailures', 'delivery.failed', deliverNotifications.name],
  ['DeliveryRecursion', 'delivery.requeue-limit', deliverNotifications.name],
  ['TargetsPaused', 'target.paused', deliverNotifications.name],
  ['TargetsPaused', 'target.paused', sweepDeliveries.name],
])('the metric %s', (metric, event, logger) => {
  const filters = resourcesOfType<FilterProperties>(dev, 'AWS::Logs::MetricFilter')
    .map(({ Properties }) => Properties)
    .filter(({ MetricTransformations }) => MetricTransformations[0]?.MetricName === metric);

  it(`counts an event that ${logger} does log`, () => {
    const bundle = readFileSync(join(inject('functionsDirectory'), logger, 'index.mjs'), 'utf8');
    expect(bundle).toContain(`"${event}"`);
  });

  it('has an alarm that watches it', () => {
    const [transformation] = filters[0]?.MetricTransformations ?? [];
    expect(alarmsOf(dev)).toContainEqual(
      expect.objectContaining({ MetricName: metric, Namespace: transformation?.MetricNamespace }),
    );
  });
});

it('failures of customers’ endpoints raise no alarm', () => {
  expect(JSON.stringify(alarmsOf(dev))).toContain('serverErrors - FILL(endpointFailures, 0)');
});
