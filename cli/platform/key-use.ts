import { type DynamicFlow, isDynamic } from '#shared/flow-endpoint/make-exchange.ts';
import { type FlowRecord, isLive } from '#shared/flows/flow.ts';

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
