import { expect, it } from 'vitest';
import { awsError } from '#support/aws/aws-error.ts';
import { isTransient } from './table.ts';

it.each([
  ['too many requests for a partition', 'ProvisionedThroughputExceededException', true],
  ['too many requests for the table', 'ThrottlingException', true],
  ['too many requests for the account', 'RequestLimitExceeded', true],
  ['a transaction that is changing the item', 'TransactionConflictException', true],
  ['a failed condition', 'ConditionalCheckFailedException', false],
  ['a request that is not valid', 'ValidationException', false],
])('an error about %s says whether it will pass', (_, name, passes) => {
  expect(isTransient(awsError(name, ''))).toBe(passes);
});

it('an error of our own does not pass', () => {
  expect(isTransient(new Error('TransactionConflictException'))).toBe(false);
  expect(isTransient('TransactionConflictException')).toBe(false);
});
