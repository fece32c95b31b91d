import { join } from 'node:path';
import { isObject, parseJson } from '#shared/base/json.ts';
import { sealRequest } from '#shared/flow-endpoint/envelope.ts';
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

/**
 * The content of the platform's secret when the world starts: what is stored, so that what an operator has set survives
 * a restart, or the seeded credentials. An access token of the start itself wins, and the next start without one
 * forgets it, because the simulated platform takes only the seeded one.
 */
export function credentialsAtStart(stored: string | undefined, accessToken: string | undefined): string {
  const content = parseJson(stored ?? '');
  const { token_of_start, ...kept } = { ...seededCredentials, ...(isObject(content) ? content : {}) } as Record<
    string,
    unknown
  >;
  const own = kept.access_token === token_of_start ? seededCredentials.access_token : kept.access_token;
  return JSON.stringify({
    ...kept,
    access_token: accessToken ?? own,
    ...(accessToken !== undefined && { token_of_start: accessToken }),
  });
}
