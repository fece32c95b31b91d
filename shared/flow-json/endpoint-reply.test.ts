import { expect, it } from 'vitest';
import { replyProblems } from './endpoint-reply.ts';
import { readFlow } from './model.ts';
import { flow, screen, step } from './testing.ts';

const field = { type: 'string', __example__: 'x' };
const model = readFlow(
  flow([step('A', []), step('B', [], { data: { slots: field, day: field } }), screen('C')], {
    data_api_version: '3.0',
    routing_model: { A: ['B'], B: ['C'] },
  }),
);

it.each([
  [undefined, { screen: 'A', data: {} }],
  ['A', { screen: 'B', data: { slots: 'x', day: 'x' } }],
  ['B', { screen: 'A', data: {} }],
  ['B', { screen: 'B', data: { error_message: 'Closed' } }],
  ['B', { screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token: 't' } } } }],
])('from %s, nothing is wrong with %j', (shown, reply) => {
  expect(replyProblems(model, shown, reply)).toEqual([]);
});

it.each([
  ['A', undefined, ["The endpoint's answer names no screen."]],
  ['A', { data: {} }, ["The endpoint's answer names no screen."]],
  ['A', { screen: 'X' }, ["The endpoint answered with screen 'X', which the Flow does not have."]],
  ['A', { screen: '__proto__' }, ["The endpoint answered with screen '__proto__', which the Flow does not have."]],
  ['A', { screen: 'C' }, ["The routing model has no route from screen 'A' to screen 'C'."]],
  [
    'A',
    { screen: 'B', data: { slots: 'x', hour: 1 } },
    [
      "The endpoint sent 'hour', which screen 'B' does not declare.",
      "The endpoint did not send 'day', which screen 'B' declares.",
    ],
  ],
  ['B', { screen: 'SUCCESS', data: {} }, ["The endpoint's last answer has no data.extension_message_response.params."]],
])('from %s, %j: %j', (shown, reply, problems) => {
  expect(replyProblems(model, shown, reply)).toEqual(problems);
});
