import { expect, it } from 'vitest';
import { subjectOf } from './subject.ts';

it.each([
  ['message', { messages: [{ type: 'text' }] }, 'message · text'],
  ['status', { statuses: [{ status: 'read', type: undefined }] }, 'status · read'],
  ['call', { calls: [{ event: 'connect' }] }, 'call · connect'],
  ['event', { field: 'account_update', value: {} }, 'event · account_update'],
  ['event', { type: 'flow.published' }, 'event · flow.published'],
  ['message', { messages: 'none' }, 'message'],
  ['message', { messages: [null] }, 'message'],
  ['message', undefined, 'message'],
])('a %s is about what its body says: %j', (kind, body, subject) => {
  expect(subjectOf(body, kind)).toBe(subject);
});
