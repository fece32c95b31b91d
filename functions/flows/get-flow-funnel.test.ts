import { describe, expect, it } from 'vitest';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { makeHandler } from './get-flow-funnel.ts';

captureLog();

const dynamic: FlowRecord = { ...draft, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };

function read(flow: FlowRecord, role: 'owner' | 'member' | null = 'owner') {
  const handler = makeHandler({
    access: fakeAccess({ flows: [flow], role: role ?? undefined }),
    now: () => now,
    mark,
    sentFlows: {
      readFunnel: async (id) => ({
        sent: id === flow.id ? 9 : 0,
        opened: 7,
        completed: 2,
        screens: new Map([['DATE', 5]]),
      }),
    },
  });
  return send(handler, { caller, pathParameters: { workspace: workspace.id, flow: draft.id } });
}

describe('get-flow-funnel', () => {
  it('shows owners how far contacts got', async () => {
    expect(await read(dynamic)).toMatchObject({
      status: 200,
      text: JSON.stringify({ sent: 9, opened: 7, completed: 2, screens: [{ screen: 'DATE', stopped: 5 }] }),
    });
  });

  it('shows null for what only the endpoint of the customer knows', async () => {
    const { json } = await read({ ...dynamic, endpoint_encrypted: true });
    expect(json).toEqual({ sent: 9, opened: null, completed: 2, screens: null });
  });

  it.each(['member', null] as const)('is for owners only, not for others: %s', async (role) => {
    expect((await read(dynamic, role)).status).toBe(403);
  });
});
