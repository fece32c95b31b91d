import { type DynamicFlow, isDynamic } from '#shared/flow-endpoint/make-exchange.ts';
import { type FlowRecord, isLive } from '#shared/flows/flow.ts';
import type { PlatformNumber } from './objects.ts';

/** Whether a number is registered with the Cloud API, as far as the platform shows it. */
type RegistrationState = 'registered' | 'unregistered' | 'elsewhere' | 'not-shown';

/** States of numbers that are there but not connected (Meta, "WhatsApp Business Phone Number"). */
export const unconnectedStates: readonly string[] = ['PENDING', 'DISCONNECTED', 'OFFLINE', 'UNVERIFIED', 'MIGRATED'];

const connectedStates: readonly string[] = ['CONNECTED', 'FLAGGED', 'RESTRICTED', 'RATE_LIMITED'];

/** The platform's own word for where a number is registered decides. Without it, the state of the number tells. */
export function registrationOf({
  platform_type: platform,
  status = '',
}: Pick<PlatformNumber, 'platform_type' | 'status'>): RegistrationState {
  if (platform === 'CLOUD_API') return 'registered';
  if (platform === 'NOT_APPLICABLE') return 'unregistered';
  if (platform !== undefined) return 'elsewhere';
  if (connectedStates.includes(status)) return 'registered';
  return unconnectedStates.includes(status) ? 'unregistered' : 'not-shown';
}

/** What phones need the Flow key of a number for. */
export type KeyUse = 'decrypted-here' | 'decrypted-by-owner' | 'none';

/** Whether people may have the Flow on their phones, with an endpoint behind it. */
export function isInUse(flow: FlowRecord): flow is DynamicFlow {
  return isLive(flow) && isDynamic(flow) && !['DRAFT', 'DEPRECATED'].includes(flow.status);
}

/** @param flows those of the workspace */
export function keyUseOf(flows: readonly FlowRecord[]): KeyUse {
  const used = flows.filter(isInUse);
  if (used.some(({ endpoint_encrypted }) => !endpoint_encrypted)) return 'decrypted-here';
  return used.length > 0 ? 'decrypted-by-owner' : 'none';
}
