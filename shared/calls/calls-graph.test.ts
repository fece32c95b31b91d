import { describe, expect, it } from 'vitest';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { upstreamCalls } from './calls-graph.ts';

const number = '106540352242922';

/** The calls of an upstream with these responses, and the requests that it got. */
function withAnswer(answer: unknown) {
  const requests: GraphRequest[] = [];
  const calls = upstreamCalls(async (request) => {
    requests.push(request);
    return answer;
  });
  return { calls, requests };
}

const success = { messaging_product: 'whatsapp', success: true };

describe('connect', () => {
  const connection = { webrtc: { sdp: 'B' } };
  const connect = async (answer: unknown) => {
    const { calls, requests } = withAnswer(answer);
    return {
      id: await calls.connect(number, { contact: { to: '5511' }, sdp: 'A', connection, options: {} }),
      requests,
    };
  };

  it('sends the SDP and returns the new call’s id', async () => {
    const { id, requests } = await connect({ messaging_product: 'whatsapp', calls: [{ id: 'wacid.1' }] });
    expect(id).toBe('wacid.1');
    expect(requests).toEqual([
      {
        method: 'POST',
        path: `${number}/calls`,
        json: {
          messaging_product: 'whatsapp',
          to: '5511',
          action: 'connect',
          session: { sdp_type: 'offer', sdp: 'A' },
          connection,
        },
      },
    ]);
  });

  it.each([[success], [{ ...success, calls: [{ id: 7 }] }]])('succeeds without the call’s id: %j', async (answer) => {
    expect((await connect(answer)).id).toBeUndefined();
  });

  it.each([null, 'text', [], {}, { calls: [] }, { calls: 'wacid.1' }])(
    'reports an unknown outcome if the response is %j',
    async (answer) => {
      await expect(connect(answer)).rejects.toMatchObject({ failure: 'broken-response' });
    },
  );
});

describe('an action on a call', () => {
  it.each(['preAccept', 'accept'] as const)('%s sends the SDP answer', async (name) => {
    const { calls, requests } = withAnswer(success);
    await calls[name](number, 'wacid.1', 'A', {});
    const action = { preAccept: 'pre_accept', accept: 'accept' }[name];
    const session = { sdp_type: 'answer', sdp: 'A' };
    expect(requests).toEqual([
      {
        method: 'POST',
        path: `${number}/calls`,
        json: { messaging_product: 'whatsapp', call_id: 'wacid.1', action, session },
      },
    ]);
  });

  it.each(['reject', 'terminate'] as const)('%s sends the call’s id', async (action) => {
    const { calls, requests } = withAnswer({ success: true });
    await calls[action](number, 'wacid.1');
    expect(requests.map(({ json }) => json)).toEqual([{ messaging_product: 'whatsapp', call_id: 'wacid.1', action }]);
  });

  it('fails if the upstream reports a failure with a success status', async () => {
    const { calls } = withAnswer({ success: false });
    await expect(calls.terminate(number, 'wacid.1')).rejects.toMatchObject({ failure: 'rejected' });
  });
});

describe('permission', () => {
  const read = (answer: unknown) => withAnswer(answer).calls.permission(number, { to: '5511' });
  const limit = { time_period: 'PT24H', max_allowed: 5, current_usage: 5 };

  it('is requested for a contact', async () => {
    const { calls, requests } = withAnswer({ permission: { status: 'permanent' }, actions: [] });
    await calls.permission(number, { to: '5511', recipient: undefined });
    await calls.permission(number, { to: undefined, recipient: 'BR.1' });
    const request = { method: 'GET', path: `${number}/call_permissions` };
    expect(requests).toEqual([
      { ...request, query: { user_wa_id: '5511' } },
      { ...request, query: { recipient: 'BR.1' } },
    ]);
  });

  it('is returned as the upstream reports it, without unknown members', async () => {
    const permission = { status: 'temporary', expiration_time: 1_767_225_600, since: 1 };
    const action = {
      action_name: 'start_call',
      can_perform_action: false,
      limits: [{ ...limit, limit_expiration_time: 1 }],
    };
    expect(await read({ messaging_product: 'whatsapp', permission, actions: [action] })).toEqual({
      permission: { status: 'temporary', expiration_time: 1_767_225_600 },
      actions: [{ action_name: 'start_call', can_perform_action: false, limits: [limit] }],
    });
  });

  it('may contain values that this service does not know', async () => {
    const answer = {
      permission: { status: 'on_hold' },
      actions: [{ action_name: 'start_video_call', can_perform_action: true, limits: [] }],
    };
    expect(await read(answer)).toEqual(answer);
  });

  it('omits members of another shape', async () => {
    const answer = {
      permission: { status: 'permanent' },
      actions: [
        'start_call',
        { action_name: 'start_call' },
        {
          action_name: 'start_call',
          can_perform_action: true,
          limits: [{ time_period: 'PT1H', max_allowed: 'any' }, limit],
        },
        { action_name: 'other', can_perform_action: true },
      ],
    };
    expect((await read(answer)).actions).toEqual([
      { action_name: 'start_call', can_perform_action: true, limits: [limit] },
      { action_name: 'other', can_perform_action: true, limits: [] },
    ]);
    expect((await read({ permission: { status: 'permanent' } })).actions).toEqual([]);
  });

  it.each([{}, { permission: 'permanent' }, null])('is unknown if the response is %j', async (answer) => {
    await expect(read(answer)).rejects.toMatchObject({ failure: 'broken-response' });
  });
});
