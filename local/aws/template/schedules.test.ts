import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, roleResource, templateOf } from '#support/aws/template.ts';
import { readSchedules } from './schedules.ts';

const read = (properties: Record<string, unknown>) => {
  const template = templateOf({
    Role: roleResource,
    Sweep1A: functionResource('Sweep'),
    Minutely: {
      Type: 'AWS::Events::Rule',
      Properties: { Targets: [{ Arn: { 'Fn::GetAtt': ['Sweep1A', 'Arn'] }, Id: 'x' }], ...properties },
    },
  });
  return readSchedules(template, resolverOf(template));
};

describe('readSchedules', () => {
  it.each([
    ['rate(1 minute)', 60],
    ['rate(5 minutes)', 300],
    ['rate(1 hour)', 3600],
    ['rate(2 days)', 172_800],
  ])('reads a rule of EventBridge with %s', (ScheduleExpression, periodSeconds) => {
    expect(read({ ScheduleExpression, State: 'ENABLED' })).toEqual([
      {
        logicalId: 'Minutely',
        arn: 'arn:aws:events:us-east-1:000000000000:rule/Minutely',
        functionName: 'Sweep',
        periodSeconds,
      },
    ]);
  });

  it('readSchedules leaves out disabled schedules', () => {
    expect(read({ ScheduleExpression: 'rate(1 minute)', State: 'DISABLED' })).toEqual([]);
  });

  it('reports a rule that waits for events', () => {
    expect(() => read({ EventPattern: {} })).toThrow('Minutely (AWS::Events::Rule)');
  });

  it.each(['cron(0 * * * ? *)', 'rate(1 week)', 'rate()', 'rate(1 toString)'])(
    'rejects %s, which is not a rate',
    (ScheduleExpression) => {
      expect(() => read({ ScheduleExpression })).toThrow(ScheduleExpression);
    },
  );
});
