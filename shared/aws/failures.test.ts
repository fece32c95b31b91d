import { describe, expect, it } from 'vitest';
import { describeAwsFailure, isDenied } from './failures.ts';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('a call that AWS denies', () => {
  it.each([
    ['AccessDeniedException', 'secretsmanager:GetSecretValue'],
    ['AccessDeniedException', 'dynamodb:Query'],
    ['AccessDenied', 's3:GetObject'],
    ['AccessDenied', 'cloudformation:DescribeStacks'],
  ])('is explained by the permission that is missing: %s of %s', (name, action) => {
    const error = named(name, `User: arn:aws:iam::1:user/ana is not authorized to perform: ${action} on resource: x`);
    expect(isDenied(error)).toBe(true);
    expect(describeAwsFailure(error)).toMatch(
      new RegExp(`^These AWS credentials lack the permission ${action}\\. .*\\(User: arn:aws:iam::1:user/ana is not`),
    );
  });

  it('is not said to be about the table when AWS does not say what it is about', () => {
    const text = describeAwsFailure(named('AccessDenied', 'Access Denied'));
    expect(text).toMatch(/^These AWS credentials may not do this\. .*\(Access Denied\)$/);
    expect(text).not.toContain('table');
  });
});

it('a failure without advice is its code and its message, in one line', () => {
  expect(describeAwsFailure(named('LimitExceeded', 'first\n  second'))).toBe('LimitExceeded: first second');
});
