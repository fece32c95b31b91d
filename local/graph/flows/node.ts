import { type BusinessAccount, simulatedApp, simulatedBusiness } from '../core/accounts.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { GraphError } from '../http/graph-errors.ts';
import { type FieldReaders, graphNode, graphTime } from '../http/node.ts';
import { faultyFlow, flowAilment } from './flow-faults.ts';
import { type Flow, publishObstacle } from './flows.ts';

/** The fields of a Flow when the request names none. */
export const defaultFlowFields = 'id,name,status,categories,validation_errors';

const messagingAvailability = {
  DRAFT: 'AVAILABLE',
  PUBLISHED: 'AVAILABLE',
  THROTTLED: 'LIMITED',
  BLOCKED: 'BLOCKED',
  DEPRECATED: 'BLOCKED',
} as const;

/** A Flow with what else its fields are read from. */
type FlowSource = Flow & { readonly account: BusinessAccount; readonly faults: SetupFaults };

const fieldReaders: FieldReaders<FlowSource> = {
  id: (flow) => flow.id,
  name: (flow) => flow.name,
  status: (flow) => flow.status,
  categories: (flow) => flow.categories,
  validation_errors: (flow) => flow.validation_errors,
  json_version: (flow) => flow.json_version ?? undefined,
  data_api_version: (flow) => flow.data_api_version ?? undefined,
  endpoint_uri: (flow) => flow.endpoint_uri ?? undefined,
  updated_at: (flow) => graphTime(flow.updated_at),
  health_status: healthStatus,
};

/** The JSON of a Flow node with `id` and the requested fields. Throws on an unknown field. */
export function flowNode(
  flow: Flow,
  context: { readonly account: BusinessAccount; readonly faults: SetupFaults },
  fields: readonly string[],
): Record<string, unknown> {
  return graphNode('Flow', fieldReaders, { ...faultyFlow(flow, context.faults), ...context }, fields);
}

/**
 * The JSON of a Flow's only asset. The control surface serves its file without a token, as Meta's file hosts do.
 * @param base any address of the server
 */
export function assetNode(flow: Flow, base: URL): Record<string, unknown> {
  const download = new URL(`/simulator/flows/${flow.id}/flow.json`, base);
  return { name: 'flow.json', asset_type: 'FLOW_JSON', download_url: download.href };
}

function healthStatus({ account, faults, ...flow }: FlowSource): unknown {
  const available = (entity_type: string, id: string) => ({ entity_type, id, can_send_message: 'AVAILABLE' });
  const flowHealth = { ...flowEntity(flow, account), ...flowAilment(flow, faults) };
  return {
    can_send_message: flowHealth.can_send_message,
    entities: [
      flowHealth,
      available('WABA', account.waba_id),
      available('BUSINESS', simulatedBusiness.id),
      available('APP', simulatedApp.id),
    ],
  };
}

function flowEntity(flow: Flow, account: BusinessAccount) {
  const entity = { entity_type: 'FLOW', id: flow.id };
  const obstacle = flow.status === 'DRAFT' ? publishObstacle(flow, account) : undefined;
  if (obstacle === undefined) return { ...entity, can_send_message: messagingAvailability[flow.status] };
  const { body } = new GraphError(obstacle);
  const error = {
    error_code: body.code,
    error_description: body.error_user_title,
    possible_solution: body.error_user_msg,
  };
  return { ...entity, can_send_message: 'BLOCKED', errors: [error] };
}
