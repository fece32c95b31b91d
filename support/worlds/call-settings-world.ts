import type { Role } from '#shared/accounts/workspace.ts';
import { upstreamCallSettings } from '#shared/calls/calls-graph.ts';
import { graphClient } from '#shared/graph/graph-client.ts';
import { startApiWorld } from './api-world.ts';
import { accessToken, phoneNumberId, startTestUpstream } from './simulated-graph.ts';

/** The call settings of a number between its users and the simulated platform, over real HTTP. */
export async function startCallSettingsWorld(role?: Role) {
  const [world, upstream] = await Promise.all([startApiWorld(role), startTestUpstream()]);
  const settings = { baseUrl: upstream.url, version: 'v25.0', timeoutMs: 10_000, subject: 'call' } as const;
  const client = () => graphClient(settings, async () => accessToken, Date.now() + 10_000, Date.now);
  return {
    ...world,
    /** Calling is off for this number, which does not matter to its settings. */
    number: await world.newNumber({ phone_number_id: phoneNumberId, calling_enabled: false }),
    settings: upstreamCallSettings(client()),
    upstream: () => upstreamCallSettings(client()),
    close: () => Promise.all([upstream.close(), world.close()]),
  };
}

export type CallSettingsWorld = Awaited<ReturnType<typeof startCallSettingsWorld>>;
