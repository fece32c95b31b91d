import { describe, expect, it } from 'vitest';
import { eventName, wants } from './event-names.ts';

describe('the name of an event', () => {
  it.each([
    [{ contacts: [], messages: [{ id: 'wamid.1', type: 'text' }] }, 'messages.text'],
    [{ contacts: [], messages: [{ id: 'wamid.1' }] }, 'messages'],
    [{ statuses: [{ id: 'wamid.1', status: 'failed' }] }, 'statuses.failed'],
    [{ statuses: [{ id: 'wacid.1', type: 'call', status: 'RINGING' }] }, 'statuses.RINGING'],
    [{ calls: [{ id: 'wacid.1', event: 'terminate' }], contacts: [] }, 'calls.terminate'],
    [{ errors: [{ code: 1, type: 'x' }] }, 'errors'],
    [{ contacts: [], messages: [{ id: 'wamid.1', type: 7 }] }, 'messages'],
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
