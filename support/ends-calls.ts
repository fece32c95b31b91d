import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { callReference } from '#shared/calls/call-errors.ts';
import { logOfEachTest } from './fakes/captured-log.ts';
import { token } from './fakes/fake-access.ts';
import {
  type CallOperation,
  type CallWorld,
  failing,
  graphRejection,
  silence,
  startCallWorld,
} from './worlds/call-world.ts';

const callId = 'wacid.HBgLMTIxODU1NTI4MjgVAgARGCAyODRQIAFRoA';

/**
 * Tests an operation that ends a call. `verb` names what it does in titles, and `action` is the action that it requests
 * from Graph.
 */
export function itEndsCalls(operation: CallOperation, { verb, action }: { verb: string; action: string }): void {
  const log = logOfEachTest();
  let world: CallWorld;

  beforeAll(async () => {
    world = await startCallWorld();
  });
  beforeEach(() => world.reset());
  afterAll(() => world.close());

  const end = async (body: unknown = { call_id: callId }) => world.call(operation, await world.newNumber(), { body });

  it(`${verb} the call once, and returns only success`, async () => {
    const number = await world.newNumber();
    const { status, text } = await world.call(operation, number, { body: { call_id: callId } });
    expect(status).toBe(200);
    expect(text).toBe('{"success":true}');
    const json = { messaging_product: 'whatsapp', call_id: callId, action };
    expect(world.requests).toEqual([{ method: 'POST', path: `${number.phone_number_id}/calls`, json }]);
  });

  it.each([
    [graphRejection(100, 400, 'No such call'), 400, /No such call/],
    [graphRejection(138000, 401), 403, /Calling is turned off/],
    [graphRejection(1, 500), 502, /outcome is unknown/],
    [silence(), 504, /outcome is unknown.* with a new Idempotency-Key/],
  ])('reports how it fails: %s is %i', async (error, status, message) => {
    world.graph = failing(error);
    const answer = await end();
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ message: expect.stringMatching(message) });
    expect(world.requests).toHaveLength(1);
  });

  it.each([{}, { call_id: '' }, { call_id: null }, { call_id: [callId] }])('requires a call_id: %j', async (body) => {
    const { status, json } = await end(body);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['call_id']);
    expect(world.requests).toEqual([]);
  });

  it('requires a number with calling enabled', async () => {
    const off = await world.newNumber({ calling_enabled: false });
    expect((await world.call(operation, off, { body: '{' })).status).toBe(403);
  });

  it('logs the principal, the number and the call', async () => {
    const number = await world.newNumber();
    await world.call(operation, number, { body: { call_id: callId } });
    const asked = { event: 'call.asked', action, number: number.id, user: token.user, call: callReference(callId) };
    expect(log).toContainEqual(expect.objectContaining({ level: 'info', ...asked }));
  });
}
