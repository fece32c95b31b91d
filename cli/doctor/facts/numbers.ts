import type { KeyUse } from '#cli/platform/key-use.ts';
import type { PlatformNumber } from '#cli/platform/objects.ts';
import type { CallSettings } from '#shared/domain/calls/upstream-call-settings.ts';
import { type Registration, readRegistration } from '#shared/domain/flow-keys/register-key.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Upstream } from '../../upstream.ts';
import type { Fact, Reader } from './fact.ts';

export interface NumberFacts {
  number: PhoneNumber;
  subject: string;
  wabaId: string | null;
  /** Whether its workspace permits calls. */
  workspaceCalls: boolean;
  platform: Fact<PlatformNumber>;
  calling: Fact<CallSettings>;
  key: Fact<NumberKey>;
  keyUse: KeyUse;
  lastEvent: Fact<LastEvent | undefined>;
  /** The position of its credentials among the apps. */
  app: number;
}

export interface NumberKey {
  /** How the key that the platform has for the number relates to those of the workspace. */
  registration: Registration;
  /** Whether the workspace has a key to upload. */
  workspaceHasKey: boolean;
}

export interface LastEvent {
  /** Epoch milliseconds. */
  at: number;
  kind: string;
}

export async function readNumber(
  place: Pick<NumberFacts, 'number' | 'subject' | 'wabaId' | 'workspaceCalls' | 'keyUse' | 'app'>,
  { management, flowKeys, encryption }: Upstream,
  lastEvent: () => Promise<LastEvent | undefined>,
  { read }: Reader,
): Promise<NumberFacts> {
  const { number } = place;
  const [platform, calling, key, last] = await Promise.all([
    read(() => management.phoneNumber(number.phone_number_id)),
    read(() => management.calling.read(number.phone_number_id)),
    read(async () => {
      const { keys } = await flowKeys.read(number.workspace);
      return { registration: await readRegistration(number, keys, encryption), workspaceHasKey: keys.length > 0 };
    }),
    read(lastEvent),
  ]);
  return { ...place, platform, calling, key, lastEvent: last };
}
