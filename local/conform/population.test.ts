import { describe, expect, it } from 'vitest';
import type { Entry, Json } from '../recording/recording.ts';
import { accountsIn } from './population.ts';

const number = '155500000000003';
const sent = (json: Json, status = 200): Entry => ({
  at: 0,
  request: { method: 'POST', path: `/v25.0/${number}/messages`, body: { json } },
  response: { status, body: { json: {} } },
});
const permissionRequest = { type: 'interactive', interactive: { type: 'call_permission_request' } };
const takesCalls = (entry: Entry) => accountsIn([entry])[0]?.phone_numbers[0]?.calling_enabled;

describe('a number of a recording', () => {
  it('takes calls if the platform let it ask for the permission to call', () => {
    expect(takesCalls(sent(permissionRequest))).toBe(true);
  });

  it('takes calls if the platform shows who may be called, or somebody calls', () => {
    const path = `/v25.0/${number}/call_permissions`;
    expect(takesCalls({ at: 0, request: { method: 'GET', path }, response: { status: 200, body: { json: {} } } })).toBe(
      true,
    );
    const change = { field: 'calls', value: { metadata: { phone_number_id: number }, calls: [] } };
    expect(takesCalls({ at: 0, event: { entry: [{ id: '155500000000001', changes: [change] }] } })).toBe(true);
  });

  it('takes calls if the platform rejected a request because the person has permitted calls already', () => {
    const entry = sent(permissionRequest, 400);
    const rejected = { ...entry, response: { status: 400, body: { json: { error: { code: 138017 } } } } };
    expect(takesCalls(rejected as Entry)).toBe(true);
  });

  it('takes no calls if the platform rejected that, or if it only sent a text', () => {
    expect(takesCalls(sent(permissionRequest, 401))).toBe(false);
    expect(takesCalls(sent({ type: 'text', text: { body: 'Hello' } }))).toBe(false);
  });
});
