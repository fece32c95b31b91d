import { describe, expect, it } from 'vitest';
import { toSqsEvents } from './sqs-event.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:000000000000:Queue';
const message = (messageId: string, body = 'text') => ({
  messageId,
  receiptHandle: `handle-${messageId}`,
  body,
  md5OfBody: 'md5',
  attributes: { ApproximateReceiveCount: '1' },
});

describe('toSqsEvents', () => {
  it("toSqsEvents builds records like Lambda's", () => {
    const [batch] = toSqsEvents([message('a')], queueArn);
    expect(JSON.parse(batch?.event ?? '')).toEqual({
      Records: [
        {
          messageId: 'a',
          receiptHandle: 'handle-a',
          body: 'text',
          attributes: { ApproximateReceiveCount: '1' },
          messageAttributes: {},
          md5OfBody: 'md5',
          eventSource: 'aws:sqs',
          eventSourceARN: queueArn,
          awsRegion: 'eu-west-1',
        },
      ],
    });
  });

  it('splits a batch that is too large, in order and within the limit', () => {
    const one = Buffer.byteLength(toSqsEvents([message('a', 'ü'.repeat(50))], queueArn)[0]?.event ?? '');
    const messages = ['a', 'b', 'c'].map((id) => message(id, 'ü'.repeat(50)));
    const batches = toSqsEvents(messages, queueArn, 2 * one);
    expect(batches.map((batch) => batch.messages.map(({ messageId }) => messageId))).toEqual([['a', 'b'], ['c']]);
    for (const { event } of batches) {
      expect(Buffer.byteLength(event)).toBeLessThanOrEqual(2 * one);
    }
  });

  it('returns no event for no messages', () => {
    expect(toSqsEvents([], queueArn)).toEqual([]);
  });
});
