import { expect } from 'vitest';
import { createFlow, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import type { LoggedRequest } from '#local/graph/http/request-log.ts';
import { seededTokens, seededWorkspaces } from '#local/seed.ts';
import { createToken, hashToken } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { newId } from '#shared/base/ids.ts';
import { apiClient, type SuccessBody } from '../http/client.ts';
import { startTestWorld, type TestWorld } from '../worlds/world.ts';
import { type Fault, publishableJson, type UpstreamState } from './flow-world.ts';

export type FlowObject = SuccessBody<typeof createFlow>;

/** Part of every name, URL and body that the tests send. No log may show it. */
export const canary = 'canary';

/** Flow JSON that the upstream publishes. */
export const flowJson = JSON.parse(publishableJson) as { version: string; screens: object[] };

const [acme] = seededWorkspaces;

/** A body that creates a Flow with a unique name. */
export function newFlow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: `${canary} ${newId()}`, categories: [3], ...overrides };
}

/** The Flow API of a local world, with the parts behind it that the tests inspect or disturb. */
export async function startFlowService(options: Parameters<typeof startTestWorld>[0] = {}) {
  const world = await startTestWorld(options);
  const { base_url: baseUrl, upstream_url: upstreamUrl } = world.description;
  const api = apiClient(baseUrl, { token: seededTokens.owner });

  const simulator = async <T>(path: string, method = 'GET', body?: unknown): Promise<T> => {
    const response = await fetch(`${upstreamUrl}/simulator/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The simulator answered ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  const users = await Promise.all(
    Object.values(seededTokens).map((token) => tokenStore(world.table).get(hashToken(token))),
  );
  const [owner = '', member = ''] = users.map((token) => token?.user ?? '');

  const service = {
    world,
    baseUrl,
    upstreamUrl,
    api,

    /** The control surface of the simulated upstream. */
    simulate: simulator,

    /** A workspace with the seeded owner and member, by default connected to the seeded business account. */
    async newWorkspace({ wabaId = acme?.waba_id ?? null }: { wabaId?: string | null } = {}): Promise<string> {
      const workspaces = workspaceStore(world.table);
      const id = newId();
      await workspaces.create({ id, name: 'Test', waba_id: wabaId, created_at: Date.now() });
      await workspaces.putMember({ workspace: id, user: owner, role: 'owner' });
      await workspaces.putMember({ workspace: id, user: member, role: 'member' });
      return id;
    },

    /** A token of the seeded owner. */
    async newToken(): Promise<string> {
      const token = createToken();
      await tokenStore(world.table).create({
        hash: hashToken(token),
        user: owner,
        label: 'test',
        created_at: Date.now(),
      });
      return token;
    },

    revoke: (token: string) => tokenStore(world.table).revoke(hashToken(token)),

    draft: (workspace: string, overrides: Record<string, unknown> = {}): Promise<FlowObject> =>
      api.succeed(createFlow, { params: { workspace }, body: newFlow(overrides) }),

    /** A draft with content that can be published. */
    async publishable(workspace: string, overrides: Record<string, unknown> = {}): Promise<FlowObject> {
      const { id: flow } = await service.draft(workspace, overrides);
      return api.succeed(updateFlowJson, { params: { workspace, flow }, body: { json: flowJson } });
    },

    async published(workspace: string, overrides: Record<string, unknown> = {}): Promise<FlowObject> {
      const { id: flow } = await service.publishable(workspace, overrides);
      return api.succeed(publishFlow, { params: { workspace, flow } });
    },

    /** Makes the next request for this operation of the simulated upstream fail. */
    fault: (operation: string, fault: Fault['fault'], times = 1) =>
      simulator('faults', 'POST', { match: { path: operation }, times, fault }),

    clearFaults: () => simulator('faults', 'DELETE'),

    async upstreamFlow(waId: string): Promise<UpstreamFlow | undefined> {
      return (await service.upstreamFlows()).find(({ id }) => id === waId);
    },

    upstreamFlows: async () => (await simulator<{ data: UpstreamFlow[] }>('flows')).data,

    upstreamRequests: async () => (await simulator<{ data: LoggedRequest[] }>('requests')).data,

    upstreamJson: (waId: string) => simulator<unknown>(`flows/${waId}/flow.json`),

    /** Fails if something has gone wrong behind the responses so far. */
    expectQuiet: () => expectQuiet(world),

    /** Ends the world, and fails the test file if something went wrong behind the responses. */
    async close(): Promise<void> {
      await world.close();
      expectQuiet(world);
    },
  };
  return service;
}

export type FlowService = Awaited<ReturnType<typeof startFlowService>>;

export interface UpstreamFlow extends UpstreamState {
  endpoint_uri: string | null;
}

/**
 * Checks that nothing failed behind the responses, that each function stayed within its role, and that no log shows
 * what was sent.
 */
function expectQuiet({ errors, logs }: TestWorld): void {
  const text = logs.join('\n');
  expect(errors.map(({ message }) => message)).toEqual([]);
  expect(text).not.toMatch(/AccessDenied|does not allow/);
  expect(text).not.toMatch(/msgs_|local-upstream-access-token|Bearer/);
  expect(text.toLowerCase()).not.toContain(canary);
}
