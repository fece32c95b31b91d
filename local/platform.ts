import { join } from 'node:path';
import { sealRequest } from '#shared/domain/flow-endpoint/phone-envelope.ts';
import type { Watch } from './graph/core/records.ts';
import { startUpstream, type Upstream } from './graph/server.ts';
import { seededCredentials, seededNumbers, seededWorkspaces } from './seed.ts';

export interface PlatformOptions {
  readonly ports: { readonly upstream: number };
  /** Further host names that clients may use. */
  readonly hosts?: readonly string[] | undefined;
  /** Where the world keeps its data. */
  readonly dataDir: string;
  /** Another Graph to use in place of the simulated one, without a version segment. */
  readonly upstreamBaseUrl?: string | undefined;
  /** Hears what happens on the simulated platform. */
  readonly watch?: Watch | undefined;
}

/** Starts the simulated WhatsApp platform with the seeded accounts, which sends its events to the service. */
export async function startPlatform(options: PlatformOptions, serviceUrl: string): Promise<Upstream> {
  const { ports, hosts, dataDir, upstreamBaseUrl, watch } = options;
  if (upstreamBaseUrl !== undefined) return { url: upstreamBaseUrl, close: async () => undefined };
  return startUpstream({
    port: ports.upstream,
    hosts,
    dataDir: join(dataDir, 'upstream'),
    accessToken: seededCredentials.access_token,
    appSecret: seededCredentials.app_secret,
    sealRequest,
    watch,
    callbackUrl: `${serviceUrl}/v2/messaging/events`,
    accounts: seededWorkspaces.flatMap(({ id, waba_id, name }) =>
      waba_id === null ? [] : [{ waba_id, name, phone_numbers: phoneNumbers(id) }],
    ),
  });
}

function phoneNumbers(workspace: string) {
  return seededNumbers
    .filter((number) => number.workspace === workspace)
    .map(({ phone_number_id: id, display_phone_number, calling_enabled }) => ({
      id,
      display_phone_number,
      calling_enabled,
    }));
}
