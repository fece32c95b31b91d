import { expect, it } from 'vitest';
import { toLine } from './json-console.mjs';

// Each as `formatJsonMessage` in `LogPatch.js` of aws/aws-lambda-nodejs-runtime-interface-client writes it.

class DetailedError extends Error {
  readonly code = 7;
}
const described = (error: Error) => ({
  errorType: error.constructor.name,
  errorMessage: error.message,
  stackTrace: error.stack?.split('\n'),
});
const circular: Record<string, unknown> = { event: 'e' };
circular.self = circular;
const error = new DetailedError('bad');
const renamed = Object.assign(new Error('bad'), { name: 'Renamed' });

it.each<[string, unknown[], object]>([
  ['an object', [{ event: 'e', count: 1 }], { message: { event: 'e', count: 1 } }],
  ['a text', ['text'], { message: 'text' }],
  ['nothing', [], {}],
  ['a member without a value, which vanishes', [{ event: 'e', absent: undefined }], { message: { event: 'e' } }],
  ['a map, which vanishes', [{ event: 'e', map: new Map([[1, 2]]) }], { message: { event: 'e', map: {} } }],
  ['an error', [error], { message: { ...described(error), code: 7 } }],
  [
    'an error in an object',
    [{ event: 'e', error }],
    { message: { event: 'e', error: { ...described(error), code: 7 } } },
  ],
  ['the class of an error, not its name', [renamed], { message: { ...described(renamed), name: 'Renamed' } }],
  ['a BigInt, as text', [{ event: 'e', big: 1n }], { message: "{ event: 'e', big: 1n }" }],
  ['a circular object, as text', [circular], { message: "<ref *1> { event: 'e', self: [Circular *1] }" }],
  ['several arguments, as text', [{ event: 'e' }, 'more'], { message: "{ event: 'e' } more" }],
  ['a format', ['%s is %d', 'x', 1], { message: 'x is 1' }],
  ['an error before others', [renamed, 'x'], { message: expect.stringMatching(/ x$/), ...described(renamed) }],
  ['an error after others', ['x', renamed], { message: expect.stringMatching(/^x /), ...described(renamed) }],
])('the console prints %s', (_, args, expected) => {
  expect(JSON.parse(toLine({ level: 'INFO' }, args))).toEqual({ level: 'INFO', ...expected });
});
