import { describe, expect, it } from 'vitest';
import { resolverOf, templateOf } from '#support/aws/template.ts';
import { readQueues } from './queues.ts';

describe('readQueues', () => {
  const template = templateOf({
    Main: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: 90,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 5 },
      },
    },
    Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead', MessageRetentionPeriod: 1_209_600 } },
  });

  it('returns the attributes of CreateQueue, dead-letter queues first', () => {
    expect(readQueues(template, resolverOf(template))).toEqual([
      { logicalId: 'Dead', name: 'dead', attributes: { MessageRetentionPeriod: '1209600' } },
      {
        logicalId: 'Main',
        name: 'Main',
        attributes: {
          VisibilityTimeout: '90',
          RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:dead","maxReceiveCount":5}',
        },
      },
    ]);
  });

  it('rejects a template with FIFO queues', () => {
    const fifo = templateOf({ Q: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } });
    expect(() => readQueues(fifo, resolverOf(fifo))).toThrow('standard queues only');
  });
});
