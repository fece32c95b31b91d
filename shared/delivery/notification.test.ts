import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { parseMessage } from './notification.ts';

const address = { subscriber: newId(), target: 'webhook', id: newId() };

describe('a message of the queue', () => {
  it.each([
    { task: 'deliver', ...address, kind: 'call', payload: { text: '{}' }, created_at: 1, target_version: 7 },
    { task: 'deliver', ...address, kind: 'message', payload: { blob: 'a/b.json' }, created_at: 1, target_version: 0 },
    { task: 'retry', ...address, attempt_count: 3 },
    { task: 'replay', ...address, replay: newId(), request: newId() },
    { task: 'drain', subscriber: newId(), target: 'calls_webhook', token: newId() },
    { task: 'drain', subscriber: newId(), target: 'calls_webhook', token: newId(), after: newId() },
  ])('a message of the queue can be read: $task', (message) => {
    expect(parseMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ['private words', 'all of it'],
    ['null', 'all of it'],
    ['{"task":"private words"}', 'task'],
    [JSON.stringify({ task: 'retry', ...address, attempt_count: 'private words' }), 'attempt_count'],
    [
      JSON.stringify({ task: 'retry', subscriber: 'private words', target: 'x', id: 1, attempt_count: 1 }),
      'subscriber, target, id',
    ],
  ])('that is malformed is rejected without quoting its contents: %s', (body, wrong) => {
    expect(parseMessage(body)).toEqual(new Error(`Not a message of this queue; wrong: ${wrong}`));
  });
});
