import { parseJson } from '#shared/base/json.ts';
import { isPublishableVersion } from '#shared/flow-json/document/versions.ts';
import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';
import type { BusinessAccount } from '../core/accounts.ts';
import { GraphError, type GraphErrorName } from '../http/graph-errors.ts';

export const flowCategories = [
  'SIGN_UP',
  'SIGN_IN',
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SURVEY',
  'OTHER',
];

/** The statuses that Meta's monitoring can give a Flow. */
export const moderatedStatuses = ['PUBLISHED', 'THROTTLED', 'BLOCKED', 'DEPRECATED'] as const;

type ModeratedStatus = (typeof moderatedStatuses)[number];
type FlowStatus = 'DRAFT' | ModeratedStatus;

/** The result of uploading a Flow JSON. A draft is stored despite errors. */
interface FlowContent {
  readonly flow_json: string | null;
  readonly json_version: string | null;
  readonly data_api_version: string | null;
  readonly validation_errors: readonly Finding[];
}

export interface FlowMetadata {
  readonly name: string;
  readonly categories: readonly string[];
  readonly endpoint_uri: string | null;
}

export interface Flow extends FlowMetadata, FlowContent {
  readonly id: string;
  readonly waba_id: string;
  readonly status: FlowStatus;
  /** Milliseconds since the epoch. */
  readonly updated_at: number;
}

const noContent: FlowContent = { flow_json: null, json_version: null, data_api_version: null, validation_errors: [] };

export function draft(id: string, account: BusinessAccount, metadata: FlowMetadata, now: number): Flow {
  const state = { id, waba_id: account.waba_id, status: 'DRAFT', updated_at: now } as const;
  return { ...state, ...metadata, ...noContent };
}

/** The Flow with some metadata replaced. An edit turns a published Flow into a draft. Throws 139001. */
export function withMetadata(flow: Flow, changes: Partial<FlowMetadata>, now: number): Flow {
  assertEditable(flow);
  return { ...flow, ...changes, status: 'DRAFT', updated_at: now };
}

/** The Flow with another Flow JSON. An edit turns a published Flow into a draft. Throws 139001. */
export function withFlowJson(flow: Flow, flowJson: string, now: number): Flow {
  assertEditable(flow);
  return { ...flow, ...readContent(flowJson), status: 'DRAFT', updated_at: now };
}

/** Throws 139002, also for what matters only to publishing: a frozen version, no endpoint, no phone number. */
export function published(flow: Flow, account: BusinessAccount, now: number): Flow {
  const obstacle = publishObstacle(flow, account);
  if (obstacle !== undefined) throw new GraphError(obstacle);
  return { ...flow, status: 'PUBLISHED', updated_at: now };
}

/** Why Graph would not publish the Flow as it is. */
export function publishObstacle(flow: Flow, account: BusinessAccount): GraphErrorName | undefined {
  if (flow.status !== 'DRAFT') return 'publish_in_invalid_state';
  if (flow.flow_json === null || flow.validation_errors.length > 0) return 'publish_with_validation_errors';
  if (flow.json_version === null || !isPublishableVersion(flow.json_version)) return 'publish_version_not_available';
  if (flow.data_api_version !== null && flow.endpoint_uri === null) return 'publish_without_endpoint_uri';
  if (account.phone_numbers.length === 0) return 'publish_without_phone_number';
  return undefined;
}

/** Throws 139003. */
export function deprecated(flow: Flow, now: number): Flow {
  if (flow.status === 'DRAFT') throw new GraphError('deprecate_unpublished');
  if (flow.status === 'DEPRECATED') throw new GraphError('already_deprecated');
  return { ...flow, status: 'DEPRECATED', updated_at: now };
}

/** Throws 139004. */
export function assertDeletable(flow: Flow): void {
  if (flow.status !== 'DRAFT') throw new GraphError('delete_published');
}

/** The Flow with the status from Meta's monitoring. Undefined for drafts and deprecated Flows, which it ignores. */
export function moderated(flow: Flow, status: ModeratedStatus, now: number): Flow | undefined {
  if (flow.status === 'DRAFT' || flow.status === 'DEPRECATED') return undefined;
  return { ...flow, status, updated_at: now };
}

function assertEditable({ status }: Flow): void {
  if (status !== 'DRAFT' && status !== 'PUBLISHED') throw new GraphError('flow_not_editable');
}

function readContent(flowJson: string): FlowContent {
  const { version, data_api_version }: { version?: unknown; data_api_version?: unknown } = Object(parseJson(flowJson));
  return {
    flow_json: flowJson,
    json_version: typeof version === 'string' ? version : null,
    data_api_version: typeof data_api_version === 'string' ? data_api_version : null,
    validation_errors: validateFlowJson(flowJson).errors,
  };
}
