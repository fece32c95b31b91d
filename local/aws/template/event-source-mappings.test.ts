import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, roleResource, templateOf } from '#support/aws/template.ts';
import { readEventSourceMappings } from './event-source-mappings.ts';

describe('readEventSourceMappings', () => {
  const read = (properties: Record<string, unknown>) => {
    const template = templateOf({
      Role: roleResource,
      Queue: { Type: 'AWS::SQS::Queue' },
      Consume1A: functionResource('Consume'),
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
          FunctionName: { Ref: 'Consume1A' },
          ...properties,
        },
      },
    });
    return readEventSourceMappings(template, resolverOf(template));
  };
  const ends = {
    logicalId: 'Mapping',
    queueName: 'Queue',
    queueArn: 'arn:aws:sqs:us-east-1:000000000000:Queue',
    functionName: 'Consume',
  };

  it('reads how batches are built', () => {
    const properties = {
      BatchSize: 20,
      MaximumBatchingWindowInSeconds: 2,
      ScalingConfig: { MaximumConcurrency: 3 },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    };
    expect(read(properties)).toEqual([
      { ...ends, batchSize: 20, batchingWindowSeconds: 2, maximumConcurrency: 3, reportBatchItemFailures: true },
    ]);
  });

  it("uses AWS's defaults for missing properties", () => {
    expect(read({})).toEqual([
      { ...ends, batchSize: 10, batchingWindowSeconds: 0, maximumConcurrency: 1_250, reportBatchItemFailures: false },
    ]);
  });

  it('rejects a mapping with event filters', () => {
    expect(() => read({ FilterCriteria: {} })).toThrow('does not filter events');
  });
});
