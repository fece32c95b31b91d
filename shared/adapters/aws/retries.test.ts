import { describe, expect, it } from 'vitest';
import { AwsError } from './aws-error.ts';
import { isTransient, pauseAfter } from './retries.ts';

const throttled = new AwsError('ThrottlingException', '', 400);

describe('a failed request', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'no response', new Error('socket hang up')],
    [true, 'a fault of the service', new AwsError('InternalServerError', '', 500)],
    [true, 'too many requests', throttled],
    [false, 'a failed condition', new AwsError('ConditionalCheckFailedException', '', 400)],
    [false, 'a missing permission', new AwsError('AccessDeniedException', '', 400)],
  ])('may succeed a moment later (%s): %s', (expected, _, error) => {
    expect(isTransient(error)).toBe(expected);
  });

  it('is followed by a pause that doubles, and is longer after too many requests', () => {
    const reset = new Error('socket hang up');
    expect([1, 2].map((attempt) => pauseAfter(attempt, reset, 1))).toEqual([100, 200]);
    expect([1, 2].map((attempt) => pauseAfter(attempt, throttled, 1))).toEqual([500, 1_000]);
    expect(pauseAfter(1, reset, 0.5)).toBe(50);
  });
});
