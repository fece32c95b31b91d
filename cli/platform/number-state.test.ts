import { expect, it } from 'vitest';
import { registrationOf } from './number-state.ts';

it.each([
  ['CLOUD_API', 'CONNECTED', 'registered'],
  ['CLOUD_API', 'DISCONNECTED', 'registered'],
  ['NOT_APPLICABLE', 'PENDING', 'unregistered'],
  ['NOT_APPLICABLE', 'CONNECTED', 'unregistered'],
  ['ON_PREMISE', 'CONNECTED', 'elsewhere'],
  [undefined, 'FLAGGED', 'registered'],
  [undefined, 'DISCONNECTED', 'unregistered'],
  [undefined, 'BANNED', 'not-shown'],
  [undefined, undefined, 'not-shown'],
] as const)('a number on %s that is %s counts as %s', (platform_type, status, expected) => {
  expect(registrationOf({ platform_type, status })).toBe(expected);
});
