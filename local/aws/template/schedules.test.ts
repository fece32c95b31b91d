import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, roleResource, templateOf } from '#support/aws/template.ts';
import { ratePeriodSeconds, readSchedules } from './schedules.ts';

const target = { Arn: { 'Fn::GetAtt': ['Sweep1A', 'Arn'] } };
const read = (Type: string, properties: Record<string, unknown>) => {
  const template = templateOf({
    Role: roleResource,
    Sweep1A: functionResource('Sweep'),
    Minutely: { Type, Properties: properties },
  });
  return readSchedules(template, resolverOf(template));
};

describe('readSchedules', () => {
  it('readSchedules reads an EventBridge rule', () => {
    const properties = { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED', Targets: [{ ...target, Id: 'x' }] };
    expect(read('AWS::Events::Rule', properties)).toEqual([
      {
        logicalId: 'Minutely',
        arn: 'arn:aws:events:us-east-1:000000000000:rule/Minutely',
        source: 'aws.events',
        functionName: 'Sweep',
        periodSeconds: 60,
      },
    ]);
  });

  it("reads a scheduler's schedule with its input", () => {
    const Target = { ...target, RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] }, Input: '{"a":1}' };
    expect(read('AWS::Scheduler::Schedule', { ScheduleExpression: 'rate(2 hours)', Target })).toEqual([
      {
        logicalId: 'Minutely',
        arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/Minutely',
        source: 'aws.scheduler',
        functionName: 'Sweep',
        periodSeconds: 7200,
        input: '{"a":1}',
      },
    ]);
  });

  it('readSchedules leaves out disabled schedules', () => {
    const properties = { ScheduleExpression: 'rate(1 minute)', State: 'DISABLED', Targets: [target] };
    expect(read('AWS::Events::Rule', properties)).toEqual([]);
  });

  it('reports a rule that waits for events', () => {
    expect(() => read('AWS::Events::Rule', { EventPattern: {}, Targets: [target] })).toThrow(
      'Minutely (AWS::Events::Rule)',
    );
  });
});

describe('ratePeriodSeconds', () => {
  it.each([
    ['rate(1 minute)', 60],
    ['rate(5 minutes)', 300],
    ['rate(1 hour)', 3600],
    ['rate(2 days)', 172_800],
  ])('reads the period of %s', (expression, seconds) => {
    expect(ratePeriodSeconds(expression)).toBe(seconds);
  });

  it.each(['cron(0 * * * ? *)', 'rate(1 week)', 'rate()', 'rate(1 toString)'])(
    'rejects %s, which is not a rate',
    (expression) => {
      expect(() => ratePeriodSeconds(expression)).toThrow(expression);
    },
  );
});
