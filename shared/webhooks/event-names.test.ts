import { describe, expect, it } from 'vitest';
import { eventName, eventNamesOf, wants } from './event-names.ts';

describe('the name of an event', () => {
  it.each([
    [{ contacts: [], messages: [{ id: 'wamid.1', type: 'text' }] }, 'messages.text'],
    [{ contacts: [], messages: [{ id: 'wamid.1' }] }, 'messages'],
    [{ statuses: [{ id: 'wamid.1', status: 'failed' }] }, 'statuses.failed'],
    [{ statuses: [{ id: 'wacid.1', type: 'call', status: 'RINGING' }] }, 'statuses.RINGING'],
    [{ calls: [{ id: 'wacid.1', event: 'terminate' }], contacts: [] }, 'calls.terminate'],
    [{ errors: [{ code: 1, type: 'x' }] }, 'errors'],
    [{ contacts: [], messages: [{ id: 'wamid.1', type: 7 }] }, 'messages'],
    [{ contacts: [], message_echoes: [{ id: 'wamid.1', type: 'image' }] }, 'message_echoes.image'],
    [{ statuses: [{ id: 'wamid.1', status: 'sent' }], message_echoes: [] }, 'statuses.sent'],
  ])('the name of an event of %j is %s', (notification, name) => {
    expect(eventName(notification)).toBe(name);
  });
});

describe('a target', () => {
  it('wants everything if it names no events', () => {
    expect(wants(undefined, 'messages.text')).toBe(true);
  });

  it.each([
    ['messages', 'messages.text', true],
    ['messages', 'messages', true],
    ['messages.text', 'messages.text', true],
    ['messages.text', 'messages', false],
    ['messages.text', 'messages.text_2', false],
    ['flow', 'flow.published', true],
    ['flow', 'flows', false],
    ['statuses.failed', 'statuses.read', false],
  ])('that names %s and an event that is %s: %s', (named, name, expected) => {
    expect(wants(['calls', named], name)).toBe(expected);
  });
});

describe('the names that a target may get', () => {
  const number = { id: 'n', workspace: 'w', active: true };
  const workspace = { id: 'w', workspace: 'w', active: true };

  it.each([
    ['webhook', number, ['messages', 'messages.new_type', 'statuses.played', 'errors', 'message_echoes.text']],
    ['calls_webhook', number, ['calls.connect', 'statuses.RINGING', 'errors']],
    ['webhook', workspace, ['account_update', 'messages', 'flow', 'target.paused']],
  ] as const)('those of %s', (target, subscriber, names) => {
    const { has, examples } = eventNamesOf(subscriber, target);
    expect([...names, ...examples].filter((name) => !has(name))).toEqual([]);
  });

  it.each([
    [
      'webhook',
      number,
      [
        'errors.131000',
        'statuses.131026',
        'messages.*',
        '*',
        ' ',
        'messages.text.body',
        'messages.voice',
        'Messages',
        'messages.TEXT',
        'calls',
      ],
    ],
    ['secondary_webhook', number, ['statuses.RINGING', 'errors.code', 'calls.connect', 'message_echoes.voice']],
    [
      'calls_webhook',
      number,
      [
        'messages',
        'message_echoes',
        'statuses.ringing',
        'statuses.failed',
        'calls.connect.sdp',
        'calls.1',
        'errors.138000',
      ],
    ],
    [
      'webhook',
      workspace,
      ['messages.text', 'statuses', 'errors', 'contacts', 'flow.publish', 'target.paused.x', 'flows.status'],
    ],
  ] as const)('none of those that %s never gets', (target, subscriber, names) => {
    expect(names.filter((name) => eventNamesOf(subscriber, target).has(name))).toEqual([]);
  });
});
