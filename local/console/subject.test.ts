import { expect, it } from 'vitest';
import { aboutOf, contentOf, subjectOf } from './subject.ts';

it.each([
  ['message', { messages: [{ type: 'text' }] }, 'message · text'],
  ['status', { statuses: [{ status: 'read', type: undefined }] }, 'status · read'],
  ['call', { calls: [{ event: 'connect' }] }, 'call · connect'],
  ['call', { statuses: [{ type: 'call', status: 'RINGING' }] }, 'call · RINGING'],
  ['event', { field: 'account_update', value: {} }, 'event · account_update'],
  ['event', { type: 'flow.published' }, 'event · flow.published'],
  ['message', { messages: 'none' }, 'message'],
  ['message', { messages: [null] }, 'message'],
  ['message', undefined, 'message'],
])('a %s is about what its body says: %j', (kind, body, subject) => {
  expect(subjectOf(body, kind)).toBe(subject);
});

it("finds in Meta's envelope what a notification is about", () => {
  const value = { messages: [{ from: '5511900000001', type: 'text', text: { body: 'Hi' } }] };
  const content = contentOf({
    object: 'whatsapp_business_account',
    entry: [{ changes: [{ field: 'messages', value }] }],
  });
  expect([subjectOf(content, 'message'), aboutOf(content)]).toEqual(['message · text', '5511900000001 · "Hi"']);
  expect(contentOf(value)).toBe(value);
});

it.each([
  [{ messages: [{ from: '5511900000001', id: 'wamid.A1', text: { body: 'broken 5' } }] }, '5511900000001 · "broken 5"'],
  [{ statuses: [{ recipient_id: '5511900000001', id: 'wamid.HBgN123456' }] }, '5511900000001 · …123456'],
  [{ statuses: [{ recipient_user_id: 'BR.1', id: 'wamid.HBgN123456' }] }, 'BR.1 · …123456'],
  [{ field: 'account_update' }, ''],
])('the row of %j says who and what', (body, about) => {
  expect(aboutOf(body)).toBe(about);
});
