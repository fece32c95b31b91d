import type { BusinessAccount } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Field } from '../http/fields.ts';
import { type Flow, publishObstacle } from './flows.ts';

/** The fields of a Flow when the request names none. */
export const defaultFlowFields = 'id,name,status,categories,validation_errors';

const defaultApplicationId = '100000000000001';
const messagingAvailability = {
  DRAFT: 'AVAILABLE',
  PUBLISHED: 'AVAILABLE',
  THROTTLED: 'LIMITED',
  BLOCKED: 'BLOCKED',
  DEPRECATED: 'BLOCKED',
} as const;

type FieldReader = (flow: Flow, account: BusinessAccount, field: Field) => unknown;

const fieldReaders: Readonly<Record<string, FieldReader>> = {
  id: (flow) => flow.id,
  name: (flow) => flow.name,
  status: (flow) => flow.status,
  categories: (flow) => flow.categories,
  validation_errors: (flow) => flow.validation_errors,
  json_version: (flow) => flow.json_version ?? undefined,
  data_api_version: (flow) => flow.data_api_version ?? undefined,
  endpoint_uri: (flow) => flow.endpoint_uri ?? undefined,
  /** The name before version 3.0 of Flow JSON, which Meta's Postman collection still reads. */
  data_channel_uri: (flow) => flow.endpoint_uri ?? undefined,
  updated_at: (flow) => graphTime(flow.updated_at),
  preview: ({ id, preview }) =>
    preview === null
      ? undefined
      : {
          preview_url: `https://business.facebook.com/wa/manage/flows/${id}/preview/?token=${preview.token}`,
          expires_at: graphTime(preview.expires_at),
        },
  whatsapp_business_account: (_flow, account) => ({
    id: account.waba_id,
    name: nameOf(account),
    timezone_id: '1',
    message_template_namespace: `namespace_${account.waba_id}`,
  }),
  application: (flow) => ({
    link: `https://www.facebook.com/games/?app_id=${applicationId(flow)}`,
    name: 'Messaging service',
    id: applicationId(flow),
  }),
  health_status: healthStatus,
};

/** The JSON of a Flow node with `id` and the requested fields. Throws on an unknown field. */
export function flowNode(flow: Flow, account: BusinessAccount, fields: readonly Field[]): Record<string, unknown> {
  const node = new Map<string, unknown>();
  for (const field of fields) {
    const read = Object.hasOwn(fieldReaders, field.name) ? fieldReaders[field.name] : undefined;
    if (read === undefined) {
      throw new GraphError(
        'invalid_parameter',
        `Tried accessing nonexisting field (${field.name}) on node type (Flow)`,
      );
    }
    node.set(field.name, pick(read(flow, account, field), field.subfields));
  }
  return Object.fromEntries(node.set('id', flow.id));
}

/**
 * The JSON of a Flow's only asset. The control surface serves its file without a token, as Meta's file hosts do.
 * @param base any address of the server
 */
export function assetNode(flow: Flow, base: URL): Record<string, unknown> {
  const download = new URL(`/simulator/flows/${flow.id}/flow.json`, base);
  return { name: 'flow.json', asset_type: 'FLOW_JSON', download_url: download.href };
}

function pick(value: unknown, names: readonly string[] | undefined): unknown {
  if (names === undefined || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name === 'id' || names.includes(name)));
}

function healthStatus(flow: Flow, account: BusinessAccount, field: Field): unknown {
  const available = (entity_type: string, id: string) => ({ entity_type, id, can_send_message: 'AVAILABLE' });
  const flowHealth = flowEntity(flow, account);
  const phoneNumberId = field.modifiers.get('phone_number');
  return {
    can_send_message: flowHealth.can_send_message,
    entities: [
      flowHealth,
      ...(phoneNumberId === undefined ? [] : [available('PHONE_NUMBER', phoneNumberId)]),
      available('WABA', account.waba_id),
      available('BUSINESS', account.waba_id),
      available('APP', applicationId(flow)),
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

function applicationId(flow: Flow): string {
  return flow.application_id ?? defaultApplicationId;
}

function nameOf(account: BusinessAccount): string {
  return account.name ?? `Account ${account.waba_id}`;
}

/** Graph's time format: `2023-05-21T11:18:09+0000`. */
function graphTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, '+0000');
}
