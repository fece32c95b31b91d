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

const _success = { messaging_product: 'whatsapp', success: true };

describe('connect', () => {
  const connection = { webrtc: { sdp: 'B' } };
  const connect = async (answer: unknown) => {
    const { calls, requests } = withAnswer(answer);
    return {
      id: await calls.connect(number, { contact: { to: '5511' }, sdp: 'A', connection, options: {} }),
      requests,
    };
  };

  it.each([null, 'text', [], {}, { calls: [] }, { calls: 'wacid.1' }])(
    'reports an unknown outcome if the response is %j',
    async (answer) => {
      await expect(connect(answer)).rejects.toMatchObject({ failure: 'broken-response' });
    },
  );
});

describe('an action on a call', () => {
  it('fails if the upstream reports a failure with a success status', async () => {
    const { calls } = withAnswer({ success: false });
    await expect(calls.terminate(number, 'wacid.1')).rejects.toMatchObject({ failure: 'rejected' });
  });
});

describe('permission', () => {
  const read = (answer: unknown) => withAnswer(answer).calls.permission(number, { to: '5511' });
  const limit = { time_period: 'PT24H', max_allowed: 5, current_usage: 5 };

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
