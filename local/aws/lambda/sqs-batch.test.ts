import { describe, expect, it } from 'vitest';
import { failedMessageIds, toSqsEvent } from './sqs-batch.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:000000000000:Queue';
const message = (messageId: string) => ({
  messageId,
  receiptHandle: `handle-${messageId}`,
  body: 'text',
  md5OfBody: 'md5',
  attributes: { ApproximateReceiveCount: '1' },
});

describe('toSqsEvent', () => {
  it("toSqsEvent builds records like Lambda's", () => {
    expect(JSON.parse(toSqsEvent([message('a')], queueArn))).toEqual({
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
});

const ids = new Set(['a', 'b', 'c']);
const failed = (answer: unknown, reports = true) => [
  ...failedMessageIds({ payload: typeof answer === 'string' ? answer : JSON.stringify(answer) }, ids, reports),
];
const failures = (...itemIdentifiers: unknown[]) => ({
  batchItemFailures: itemIdentifiers.map((itemIdentifier) => ({ itemIdentifier })),
});

describe('failedMessageIds', () => {
  it.each([
    ['null', null],
    ['nothing', ''],
    ['an empty string', '""'],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
    ['an empty list', failures()],
  ])('counts the result %s as success', (_, answer) => {
    expect(failed(answer)).toEqual([]);
  });

  it('failedMessageIds returns the reported messages', () => {
    expect(failed(failures('b', 'c', 'b'))).toEqual(['b', 'c']);
  });

  it.each([
    ['an id that is not of the batch', failures('a', 'x')],
    ['an empty id', failures('')],
    ['a null id', failures(null)],
    ['a key by another name', { batchItemFailures: [{ id: 'a' }] }],
    ['a list of something else', { batchItemFailures: ['a'] }],
    ['no list', { batchItemFailures: 'a' }],
    ['text', '"done"'],
    ['what is not JSON', '{'],
  ])('fails the whole batch for %s', (_, answer) => {
    expect(failed(answer)).toEqual(['a', 'b', 'c']);
  });

  it('fails the whole batch if the function fails', () => {
    const result = { payload: '{"batchItemFailures":[]}', functionError: 'Unhandled' } as const;
    expect(failedMessageIds(result, ids, true)).toEqual(ids);
    expect(failedMessageIds(result, ids, false)).toEqual(ids);
  });

  it('ignores the result if the mapping does not report failures', () => {
    expect(failed(failures('a'), false)).toEqual([]);
  });
});
