import { describe, expect, it } from 'vitest';
import { lineOf, type Names, textOf } from './line.ts';

const at = '2026-01-02T14:03:07.000Z';
const time = new Date(at).toLocaleTimeString('en-GB');
const next = '2026-01-02T14:03:37.000Z';
const names: Names = new Map([
  ['number', '+15550100001'],
  ['2001', '+15550100001'],
]);

const textFor = (topic: string, value: object, isColoured = false) => {
  const line = lineOf({ topic, key: 'key', value }, names);
  return line && textOf(line, isColoured);
};

const delivery = {
  ...{ id: 'd', subscriber: 'number', target: 'webhook', kind: 'message', created_at: at, next_attempt_at: null },
  ...{ subject: 'message · text', body: JSON.stringify({ messages: [{ text: { body: 'private' } }] }) },
  attempts: [{ at, duration_ms: 12, status: 500, error: null }],
};

describe('a line of ./messaging tail', () => {
  it.each([
    ['waiting', next, `waiting 500 12 ms  next attempt ${new Date(next).toLocaleTimeString('en-GB')}`],
    ['held', null, 'held 500 12 ms  waits for the circuit breaker'],
    ['exhausted', null, 'exhausted 500 12 ms  replay it when the receiver works'],
    ['delivered', null, 'delivered 500 12 ms'],
  ])('says what comes next for a delivery that is %s', (state, next_attempt_at, end) => {
    expect(textFor('deliveries', { ...delivery, state, next_attempt_at })).toBe(
      `${time}  delivery  +15550100001    message · text → webhook          ${end}`,
    );
  });

  it('shows an event with the response of the service, and no contents', () => {
    const value = { metadata: { phone_number_id: '2001' }, statuses: [{ status: 'read' }] };
    const body = { entry: [{ id: 'waba', changes: [{ field: 'messages', value }] }] };
    expect(textFor('events', { body, attempts: [] })).toBeUndefined();
    expect(textFor('events', { body, attempts: [{ at, status: 503 }] })).toBe(
      `${time}  event     +15550100001    messages · read                   503  the platform sends it again`,
    );
  });

  it('shows a request once it has a response or a fault', () => {
    const request = { at, method: 'POST', path: '/v25.0/2001/messages', operation: 'send_message', fault: null };
    expect(textFor('requests', { ...request, status: null })).toBeUndefined();
    expect(textFor('requests', { ...request, status: 200, duration_ms: 8 })).toBe(
      `${time}  request   +15550100001    send_message                      200 8 ms`,
    );
    expect(textFor('requests', { ...request, status: null, fault: 'timeout' })).toContain(
      'no response  fault: timeout',
    );
  });

  it('has a colour only if it is asked for, around a word that says the same', () => {
    const coloured = textFor('deliveries', { ...delivery, state: 'delivered' }, true);
    expect(coloured).toContain('\u001b[32mdelivered 500 12 ms\u001b[39m');
  });

  it('does not exist for an attempt in progress and for other topics', () => {
    expect(textFor('deliveries', { ...delivery, state: 'sending' })).toBeUndefined();
    expect(textFor('received', { body: 'private' })).toBeUndefined();
  });
});

it('what an event says cannot control the terminal', () => {
  const what = 'message · \u001b[2J\n\u009bx';
  const line = { at: 0, kind: 'event', name: '', what, outcome: '200', tone: 'green', next: '' } as const;
  expect(textOf(line, false)).toContain(String.raw`message · \u001b[2J\u000a\u009bx`);
});
