import { describe, expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';
import { Rejection, UsageError } from './errors.ts';

const named = (name: string, message = 'details') => Object.assign(new Error(message), { name });

describe('describeFailure', () => {
  it('passes on the messages of the commands', () => {
    expect(describeFailure(new Rejection('There is no user.'))).toBe('There is no user.');
    expect(describeFailure(new UsageError('USER is missing.'))).toBe('USER is missing.');
  });

  it.each([
    [named('CredentialsProviderError'), 'AWS_PROFILE'],
    [new Error('Region is missing'), 'AWS_REGION'],
    [named('ExpiredTokenException'), 'sign in again'],
    [named('UnrecognizedClientException'), 'AWS_PROFILE'],
    [named('AccessDeniedException', 'not authorized to perform: dynamodb:Query'), 'dynamodb:Query'],
    [named('AccessDenied', 'Access Denied'), 'may not do this'],
    [named('ResourceNotFoundException'), '--table'],
    [Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), 'AWS_REGION'],
    [
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      'the world (npm start, or ./messaging start --live)',
    ],
    [Object.assign(new Error('Connection timed out'), { name: 'TimeoutError' }), 'whether the local world is busy'],
    [named('ThrottlingException'), 'try again'],
  ])('describeFailure gives advice on %s', (error, expected) => {
    expect(describeFailure(error)).toContain(expected);
  });

  it.each([
    ['AccessDeniedException', /\(details; AWS request id: REQUEST1\)$/],
    ['LimitExceededException', /^Unexpected failure: LimitExceededException: details; AWS request id: REQUEST1$/],
  ])('ends %s with the id of the request, which AWS asks for', (name, expected) => {
    expect(describeFailure(Object.assign(named(name), { $metadata: { requestId: 'REQUEST1' } }))).toMatch(expected);
  });

  it('names the cause, without which "fetch failed" says nothing', () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND api.example.com'), { code: 'ENOTFOUND' });
    expect(describeFailure(new TypeError('fetch failed', { cause }))).toBe(
      'Unexpected failure: TypeError: fetch failed (getaddrinfo ENOTFOUND api.example.com)',
    );
    const silent = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    expect(describeFailure(new TypeError('fetch failed', { cause: silent }))).toContain('fetch failed (ECONNREFUSED)');
  });

  it('shortens an unexpected error to one line, without a stack trace', () => {
    expect(describeFailure(new RangeError('first\n  second'))).toBe('Unexpected failure: RangeError: first second');
    expect(describeFailure('text')).toBe('Unexpected failure: text');
  });
});
