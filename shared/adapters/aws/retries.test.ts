import { describe, expect, it } from 'vitest';
import { AwsError } from './aws-error.ts';
import { StaleConnectionError } from './post.ts';
import { isTransient, pauseAfter } from './retries.ts';

const throttled = new AwsError('ThrottlingException', '', 400);
const stale = new StaleConnectionError('closed');
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

describe('a failed request', () => {
  it.each<[boolean, string, Error]>([
    [true, 'a closed connection', reset],
    [true, 'a connection that was closed while it was idle', stale],
    [true, 'no response in time', Object.assign(new Error(''), { name: 'TimeoutError' })],
    [true, 'a fault of the service', new AwsError('InternalServerError', '', 500)],
    [true, 'too many requests', throttled],
    [true, 'too many requests, by the status alone', new AwsError('HTTP 429', '', 429)],
    [true, 'a transaction whose first attempt has not ended', new AwsError('TransactionInProgressException', '', 400)],
    [false, 'a failed condition', new AwsError('ConditionalCheckFailedException', '', 400)],
    [false, 'a missing permission', new AwsError('AccessDeniedException', '', 400)],
    [false, 'a certificate that nobody trusts', Object.assign(new Error(''), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
    [false, 'a mistake of ours', new TypeError('x is not a function')],
  ])('may succeed a moment later (%s): %s', (expected, _, error) => {
    expect(isTransient(error)).toBe(expected);
  });

  it('is followed by a pause that doubles, and is longer after too many requests', () => {
    expect([1, 2].map((attempt) => pauseAfter(attempt, reset, 1))).toEqual([100, 200]);
    expect([1, 2].map((attempt) => pauseAfter(attempt, throttled, 1))).toEqual([500, 1_000]);
    expect(pauseAfter(1, reset, 0.5)).toBe(50);
  });

  it('is followed by no pause if its connection was closed while it was idle, but only once', () => {
    expect([1, 2].map((attempt) => pauseAfter(attempt, stale, 1))).toEqual([0, 200]);
  });
});
