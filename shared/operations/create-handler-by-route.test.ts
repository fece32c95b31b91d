import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { httpEvent, type RequestOptions, send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { now } from '#support/fakes/fake-flow-context.ts';
import { defineContract } from './contract.ts';
import { createHandlerByRoute } from './create-handler.ts';
import { ok } from './respond.ts';

captureLog();

const body = z.object({ size: z.int() });
const forMembers = defineContract(() => ({
  name: 'get-pond',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/pond',
  summary: 'Read the pond',
  tag: 'Test',
  caller: 'workspace-member',
  responses: { 200: { description: 'The pond', body } },
  uses: {},
}));
const forOwners = defineContract(() => ({
  ...forMembers,
  name: 'get-lake',
  servedBy: forMembers.name,
  path: '/v2/workspaces/{workspace}/lake',
  caller: 'workspace-owner',
}));

const access = fakeAccess({ role: 'member' });
const handler = createHandlerByRoute([forMembers, forOwners], { access, now: () => now, mark }, async () =>
  ok({ size: 1 }),
);
const request: RequestOptions = { caller, pathParameters: { workspace: workspace.id } };

describe('createHandlerByRoute', () => {
  it('handles a request by the rules of the operation that its route names', async () => {
    const pond = await send(handler, { ...request, routeKey: 'GET /v2/workspaces/{workspace}/pond' });
    expect([pond.status, pond.json]).toEqual([200, { size: 1 }]);
    const lake = await send(handler, { ...request, routeKey: 'GET /v2/workspaces/{workspace}/lake' });
    expect(lake.status).toBe(403);
  });

  it('fails for a route that the function does not serve', async () => {
    const event = httpEvent({ ...request, routeKey: 'GET /v2/workspaces/{workspace}/sea' });
    await expect(handler(event, {} as Context)).rejects.toThrow('GET /v2/workspaces/{workspace}/sea');
  });
});
