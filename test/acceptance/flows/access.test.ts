import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as deleteFlow } from '#functions/flows/delete-flow/contract.ts';
import { contract as getFlow } from '#functions/flows/get-flow/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as publishFlow } from '#functions/flows/publish-flow/contract.ts';
import { contract as updateFlow } from '#functions/flows/update-flow/contract.ts';
import { contract as updateFlowJson } from '#functions/flows/update-flow-json/contract.ts';
import { operations } from '#functions/operations.ts';
import { contract as createPreview } from '#functions/previews/create-preview/contract.ts';
import { newId } from '#shared/base/ids.ts';
import { createToken } from '#shared/domain/accounts/token.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { canary, type FlowService, flowJson, newFlow, startFlowService } from '../../../support/flows/flow-service.ts';
import type { CallOptions, Reply } from '../../../support/http/client.ts';

let service: FlowService;
let workspace: string;
let flow: string;
let tokens: Record<'owner' | 'member' | 'stranger', string>;

beforeAll(async () => {
  service = await startFlowService();
  workspace = await service.newWorkspace();
  flow = (await service.draft(workspace)).id;
  tokens = service.world.description.tokens;
});
afterAll(() => service.close());

const table = (contracts: readonly Contract[]) => contracts.map((contract) => [contract.name, contract] as const);
const secured = operations.filter(({ path }) => path.startsWith('/v2/workspaces/'));
const ofOwners = secured.filter(({ caller }) => caller === 'workspace-owner');
const ofMembers = secured.filter(({ caller }) => caller === 'workspace-member');
const onFlows = secured.filter(({ path }) => path.includes('{flow}'));

/** Parameters of operations on something other than Flows. */
const others = { delivery: newId(), target: 'webhook' };

const call = (contract: Contract, options: CallOptions = {}): Promise<Reply> =>
  service.api.call(contract, { ...options, params: { ...others, workspace, flow, ...options.params } });

/** A body that is not JSON. Only callers who may use the operation learn that. */
const malformed = { body: '{"name": ' };
const malformedFor = ({ method }: Contract) => (method === 'GET' ? {} : malformed);

describe('a request without a valid token', () => {
  it.each(table(secured))('a request without a valid token returns 401: %s', async (_, contract) => {
    const replies = [await call(contract, { token: null }), await call(contract, { token: createToken() })];
    expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    expect(replies[1]?.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['a wrong prefix', () => tokens.owner.replace('msgs_', 'ghp_')],
    ['a mistyped character', () => tokens.owner.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['something after it', () => `${tokens.owner}x`],
    ['two tokens', () => `${tokens.owner} ${tokens.owner}`],
    ['no token at all', () => ''],
    ['a key of the table', () => 'TOKEN#1'],
  ])('returns 401 for a token that is invalid: %s', async (_, token) => {
    expect((await call(listFlows, { token: token() })).status).toBe(401);
  });

  it.each(['Basic', 'Token', 'Bearer:', ''])('returns 401 for the scheme %j', async (scheme) => {
    const headers = { authorization: `${scheme} ${tokens.owner}` };
    expect((await call(listFlows, { token: null, headers })).status).toBe(401);
  });

  it('returns 401 before it checks ids and bodies', async () => {
    const reply = await call(updateFlow, { token: createToken(), params: { workspace: 'x', flow: 'y' }, ...malformed });
    expect(reply.status).toBe(401);
  });

  it('is accepted with another spelling of the scheme if the token is valid (RFC 9110 §11.1)', async () => {
    const headers = { authorization: `bearer ${tokens.owner}` };
    expect((await call(listFlows, { token: null, headers })).status).toBe(200);
  });
});

describe('a token', () => {
  it('stops working as soon as it is revoked, although it was just used', async () => {
    const token = await service.newToken();
    expect((await call(listFlows, { token })).status).toBe(200);
    expect((await call(getFlow, { token })).status).toBe(200);
    await service.revoke(token);
    const rejected = await Promise.all([listFlows, getFlow, createFlow].map((contract) => call(contract, { token })));
    expect(rejected.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('stops working when it expires, although it was just used', async () => {
    const expiresAt = Date.now() + 1_500;
    const token = await service.newToken({ expiresAt });
    expect((await call(listFlows, { token })).status).toBe(200);
    await expect.poll(async () => (await call(listFlows, { token })).status).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
  });

  it('does not work if it expired earlier', async () => {
    const token = await service.newToken({ expiresAt: Date.now() - 1 });
    expect((await call(listFlows, { token })).status).toBe(401);
  });

  it('does not work for what a user may no longer do', async () => {
    expect((await call(createFlow, { token: tokens.member, body: newFlow() })).status).toBe(403);
  });
});

describe('a resource that does not exist', () => {
  it.each(table(secured))('returns 404 to any user: the workspace of %s', async (_, contract) => {
    for (const unknown of [newId(), 'no-uuid', "';%20DROP%20TABLE", '%00', '..%2f..', 'FLOW%231']) {
      const reply = await call(contract, { params: { workspace: unknown }, ...malformedFor(contract) });
      expect([reply.status, reply.message], unknown).toEqual([404, 'Workspace not found.']);
    }
  });

  it.each(table(onFlows))('returns 404: the Flow of %s', async (_, contract) => {
    const foreign = (await service.draft(await service.newWorkspace())).id;
    for (const unknown of [newId(), foreign, workspace, 'no-uuid', `${flow}x`, '%00']) {
      const reply = await call(contract, { params: { flow: unknown }, ...malformedFor(contract) });
      expect([reply.status, reply.message], unknown).toEqual([404, 'Flow not found.']);
    }
  });

  it('returns 404 before permission is checked, also to a stranger', async () => {
    const reply = await call(getFlow, { token: tokens.stranger, params: { flow: newId() } });
    expect(reply.status).toBe(404);
  });
});

describe('permission', () => {
  it.each(table(secured))('is forbidden to a stranger with 403: %s', async (_, contract) => {
    const reply = await call(contract, { token: tokens.stranger, ...malformedFor(contract) });
    expect([reply.status, reply.message]).toEqual([403, 'You are not a member of this workspace.']);
  });

  it.each(table(ofOwners))(
    'is forbidden to a member who is not an owner, whatever the body is: %s',
    async (_, contract) => {
      const replies = [
        await call(contract, { token: tokens.member, ...malformedFor(contract) }),
        await call(contract, {
          token: tokens.member,
          ...(contract.method !== 'GET' && { body: 'x', headers: { 'content-type': 'text/plain' } }),
        }),
        await call(contract, { token: tokens.member }),
      ];
      expect(replies.map(({ status, message }) => [status, message])).toEqual(
        Array(3).fill([403, 'Only an owner of this workspace may do this.']),
      );
    },
  );

  it.each(table(ofMembers))('is given to a member: %s', async (_, contract) => {
    expect((await call(contract, { token: tokens.member })).status).toBe(200);
  });

  it('leaves lists to members and everything else to owners', () => {
    expect(ofMembers.map(({ name }) => name)).toEqual(['get-workspace', 'list-flows']);
    expect(ofOwners.map(({ name }) => name)).toEqual([
      'create-flow',
      'get-flow',
      'update-flow',
      'update-flow-json',
      'publish-flow',
      'delete-flow',
      'list-flow-exchanges',
      'get-flow-funnel',
      'create-preview',
      'get-workspace-webhook',
      'update-workspace-webhook',
      'get-workspace-webhook-target',
      'update-workspace-webhook-target',
      'rotate-workspace-webhook-secret',
      'list-workspace-deliveries',
      'get-workspace-delivery',
      'replay-workspace-delivery',
      'replay-workspace-deliveries',
      'resume-workspace-webhook',
    ]);
  });
});

describe('a workspace without a business account', () => {
  let unconnected: string;
  let orphan: string;
  beforeAll(async () => {
    unconnected = await service.newWorkspace({ wabaId: null });
    orphan = (await service.draft(workspace)).id;
    await service.moveFlow(workspace, orphan, unconnected);
  });

  it.each<[string, Contract, () => unknown]>([
    ['create-flow', createFlow, () => newFlow()],
    ['update-flow', updateFlow, () => newFlow()],
    ['update-flow-json', updateFlowJson, () => ({ json: flowJson })],
    ['publish-flow', publishFlow, () => undefined],
  ])('returns 400 with only a message: %s', async (_, contract, body) => {
    const reply = await call(contract, { params: { workspace: unconnected, flow: orphan }, body: body() });
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        message:
          'The workspace has no business account on the messaging platform. Ask the operator to connect one, then try again.',
      },
    ]);
    expect(reply.headers.get('x-upstream-error-code')).toBeNull();
  });

  it('is reported after invalid fields of the body', async () => {
    const params = { workspace: unconnected, flow: orphan };
    expect((await call(createFlow, { params, body: {} })).status).toBe(422);
    expect((await call(createFlow, { params, ...malformed })).status).toBe(400);
    expect((await call(createPreview, { params, body: {} })).status).toBe(422);
  });

  it('can still list its Flows', async () => {
    const params = { workspace: unconnected, flow: orphan };
    expect((await call(getFlow, { params })).status).toBe(200);
    expect((await call(listFlows, { params })).status).toBe(200);
  });
});

describe('ids', () => {
  it('are accepted in upper case and returned in lower case', async () => {
    const params = { workspace: workspace.toUpperCase(), flow: flow.toUpperCase() };
    expect(await service.api.succeed(getFlow, { params })).toMatchObject({ id: flow });
    const page = await service.api.succeed(listFlows, { params });
    expect(page.meta.path).toBe(`${service.baseUrl}/v2/workspaces/${workspace}/flows`);
    const { id } = await service.draft(workspace);
    expect((await call(deleteFlow, { params: { workspace: params.workspace, flow: id.toUpperCase() } })).status).toBe(
      204,
    );
  });
});

describe('routes and methods that do not exist', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/v2'],
    ['GET', '/v1/workspaces/{workspace}/flows'],
    ['PUT', '/v2/workspaces/{workspace}'],
    ['PATCH', '/v2/workspaces/{workspace}/flows/{flow}'],
    ['DELETE', '/v2/workspaces/{workspace}/flows'],
    ['GET', '/v2/workspaces/{workspace}/flows/{flow}/json'],
    ['GET', '/v2/workspaces/{workspace}/flows/{flow}/publish'],
    ['POST', '/v2/workspaces/{workspace}/flows/{flow}'],
    ['POST', '/v2/workspaces/{workspace}/flows/{flow}/deprecate'],
    ['POST', '/v2/openapi.json'],
  ])('routes and methods that do not exist return 404: %s %s', async (method, path) => {
    const url = service.baseUrl + path.replace('{workspace}', workspace).replace('{flow}', flow);
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${tokens.owner}` } });
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
  });
});

describe('a header of a request', () => {
  it('does not reach the response or another user’s rights', async () => {
    const headers = {
      'x-user': canary,
      'x-amzn-requestid': canary,
      'x-request-id': canary,
      'x-forwarded-host': `${canary}.example.com`,
      host: `${canary}.example.com`,
    };
    const reply = await call(listFlows, { headers, token: tokens.member });
    const shown = JSON.stringify([...reply.headers]) + JSON.stringify((reply.body as { links: unknown }).links);
    expect(shown).not.toContain(canary);
  });

  it('has no effect if it names another method', async () => {
    const { id } = await service.draft(workspace);
    await call(getFlow, { params: { flow: id }, headers: { 'x-http-method-override': 'DELETE' } });
    expect((await call(getFlow, { params: { flow: id } })).status).toBe(200);
  });
});

describe('every response', () => {
  it('carries its own x-request-id and may not be cached or sniffed', async () => {
    const replies = await Promise.all([
      call(listFlows),
      call(getFlow, { params: { flow: newId() } }),
      call(createFlow, malformed),
      call(createFlow, { token: tokens.stranger }),
      call(createFlow, { token: createToken() }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 400, 403, 401]);
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(replies.length);
    for (const { headers } of replies) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('vary')).toBe('Accept-Language');
    }
  });
});
