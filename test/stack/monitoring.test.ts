import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { functions } from '../../functions/operations.ts';
import { devTemplate, render, resourcesOfType, synthesise } from './template.ts';

interface AlarmProperties {
  AlarmDescription: string;
  AlarmActions?: unknown[];
  MetricName?: string;
  Namespace?: string;
  TreatMissingData: string;
}

interface FilterProperties {
  FilterPattern: string;
  LogGroupName: unknown;
  MetricTransformations: { MetricName: string; MetricNamespace: string; MetricValue: string }[];
}

const dev = devTemplate();
const prod = synthesise({ stage: 'prod', alarmEmail: 'operator@example.com' });
const alarmsOf = (template: typeof dev) =>
  resourcesOfType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

describe('the alarms', () => {
  it('say what users notice and what to do', () => {
    expect(alarmsOf(dev)).toHaveLength(6);
    for (const { AlarmDescription, TreatMissingData } of alarmsOf(dev)) {
      expect(AlarmDescription).toMatch(/^Impact: .+\nWhat to do: .+/);
      expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
      expect(TreatMissingData).toBe('notBreaching');
    }
  });

  it('are mailed when an address is given', () => {
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

  it('are only shown when none is', () => {
    for (const alarm of alarmsOf(dev)) expect(alarm).not.toHaveProperty('AlarmActions');
    expect(resourcesOfType(dev, 'AWS::SNS::Topic')).toEqual([]);
  });
});

describe.each([
  ['FunctionFailures', 'request.failed'],
  ['UpstreamCredentialsRefused', 'upstream.credentials-refused'],
])('the metric %s', (metric, event) => {
  const filters = resourcesOfType<FilterProperties>(dev, 'AWS::Logs::MetricFilter')
    .map(({ Properties }) => Properties)
    .filter(({ MetricTransformations }) => MetricTransformations[0]?.MetricName === metric);

  it('counts lines in the logs of all functions', () => {
    expect(new Set(filters.map(({ LogGroupName }) => render(LogGroupName))).size).toBe(functions.length);
    for (const { FilterPattern } of filters) expect(FilterPattern).toContain(`$.message.event = "${event}"`);
  });

  it('counts an event that functions do log', () => {
    const bundle = readFileSync(join(inject('functionsDirectory'), 'create-flow', 'index.mjs'), 'utf8');
    expect(bundle).toContain(`"${event}"`);
  });

  it('has an alarm that looks at it', () => {
    const [transformation] = filters[0]?.MetricTransformations ?? [];
    expect(alarmsOf(dev)).toContainEqual(
      expect.objectContaining({ MetricName: metric, Namespace: transformation?.MetricNamespace }),
    );
  });
});
