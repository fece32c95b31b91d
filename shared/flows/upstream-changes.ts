import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { isNoSuchObject, UpstreamError } from '#shared/base/upstream-error.ts';
import type { Announce } from '#shared/webhooks/event-names.ts';
import { categoryCodes, categoryIdsFromUpstream, statusFromUpstream } from './catalogue.ts';
import type { ChangeIntent, FlowMetadataChanges, FlowRecord, LiveFlow, StoredJson } from './flow.ts';
import type { FlowJsonStore } from './flow-json-store.ts';
import type { FlowChanges, FlowStore } from './flow-store.ts';
import type { UpstreamFlow, UpstreamFlows, UpstreamMetadata, ValidationError } from './flows-graph.ts';

/** How the store must follow a change that the upstream has made. */
export type Outcome = { remove: true } | { remove?: false; save: FlowChanges; findings?: ValidationError[] };

export interface FlowContext {
  upstream: UpstreamFlows;
  /** The workspace's business account. */
  wabaId: string | null;
  /** Our URL for the Flow's endpoint, which the upstream gets instead of the customer's. */
  endpointUri: (flow: string) => string;
  flows: FlowStore;
  flowJson: FlowJsonStore;
  /** Sends an event to the webhook of the workspace. */
  announce: Announce;
  /** The request's id, which identifies the holder of a lease. */
  holder: string;
  now: Clock;
}

/** Makes one kind of change upstream, and finds out afterwards whether it was made. */
interface Change<Intent extends ChangeIntent> {
  /**
   * Makes the change. Throws `UpstreamError`, which says whether it is unknown that the change was made.
   */
  apply(flow: FlowRecord, intent: Intent, context: FlowContext): Promise<Outcome>;
  /**
   * Asks the upstream whether it made the change. Resolves with the outcome if so, else with `undefined`. It makes no
   * change beyond the requested one.
   */
  inquire(flow: FlowRecord, intent: Intent, context: FlowContext): Promise<Outcome | undefined>;
}

type Changes = { [Kind in ChangeIntent['change']]: Change<Extract<ChangeIntent, { change: Kind }>> };

const changes: Changes = {
  create: {
    async apply(flow, _intent, context) {
      const askedAt = context.now();
      const waId = await context.upstream.create(businessAccount(context), upstreamMetadata(flow, flow.id, context));
      return { save: { wa_id: waId, status: 'DRAFT', status_heard_at: askedAt } };
    },
    async inquire(flow, _intent, context) {
      const askedAt = context.now();
      const found = await context.upstream.findByName(businessAccount(context), flow.name);
      if (!found || !canBeOurs(found, flow, context)) return undefined;
      if (await context.flows.isTaken(found.id, flow.id)) return undefined;
      return { save: { wa_id: found.id, ...reported(found, askedAt) } };
    },
  },

  update: {
    async apply(flow, { metadata }, context) {
      const waId = upstreamId(flow);
      await context.upstream.update(waId, {
        ...upstreamMetadata(metadata, flow.id, context),
        ...removal(flow, metadata),
      });
      const askedAt = context.now();
      const found = await readBack(context, waId);
      return { save: { ...whatWasTaken(flow, metadata, found), ...reported(found, askedAt) } };
    },
    async inquire(flow, { metadata }, context) {
      const askedAt = context.now();
      const found = await context.upstream.get(upstreamId(flow));
      const taken = whatWasTaken(flow, metadata, found);
      if (!found || !hasMetadata(found, taken)) return undefined;
      // An edit that changes nothing else there still takes a published Flow offline.
      const becameDraft = flow.status === 'PUBLISHED' && statusOf(found) === 'DRAFT';
      if (hasMetadata(found, flow) && !becameDraft) return undefined;
      return { save: { ...taken, ...reported(found, askedAt) } };
    },
  },

  'update-json': {
    async apply(flow, { json }, context) {
      const waId = upstreamId(flow);
      const findings = await context.upstream.uploadJson(waId, await textOf(json, context));
      const askedAt = context.now();
      return { save: { json, ...reported(await readBack(context, waId), askedAt) }, findings };
    },
    async inquire(flow, intent, context) {
      const waId = upstreamId(flow);
      const kept = await context.upstream.downloadJson(waId).catch(rejectedOrThrow);
      // If the upstream does not let us read the content, we upload it again, which changes nothing if it is already
      // there.
      if (kept === rejected) return this.apply(flow, intent, context);
      if (kept === undefined || !sameJson(kept, await textOf(intent.json, context))) return undefined;
      const askedAt = context.now();
      const found = await context.upstream.get(waId);
      return { save: { json: intent.json, ...reported(found, askedAt) }, findings: found?.validation_errors ?? [] };
    },
  },

  publish: {
    async apply(flow, _intent, context) {
      const askedAt = context.now();
      await context.upstream.publish(upstreamId(flow));
      // A read right after the publish may still return DRAFT, so the acceptance itself counts.
      return { save: { status: 'PUBLISHED', status_heard_at: askedAt } };
    },
    async inquire(flow, _intent, context) {
      const askedAt = context.now();
      const found = await context.upstream.get(upstreamId(flow));
      return found?.status === 'PUBLISHED' ? { save: reported(found, askedAt) } : undefined;
    },
  },

  delete: {
    async apply(flow, _intent, context) {
      const waId = upstreamId(flow);
      const status = flow.status === 'UNKNOWN' ? statusOf(await context.upstream.get(waId)) : flow.status;
      const left = await deleteOrDeprecate(waId, status, context.upstream);
      return left === undefined ? { remove: true } : { save: { status: left } };
    },
    async inquire(flow, _intent, context) {
      const askedAt = context.now();
      const found = await context.upstream.get(upstreamId(flow));
      if (!found) return { remove: true };
      return found.status === 'DEPRECATED' ? { save: reported(found, askedAt) } : undefined;
    },
  },
};

/** The upstream's code for the deletion of a Flow that is not a draft. */
const notDraft = 139004;

/**
 * Deletes a draft, and deprecates any other Flow: phones may still have it. A draft that was published in the meantime
 * is deprecated, too.
 *
 * @param status what the upstream said last; `undefined` if that is unknown
 * @returns the status in which the Flow is left, or `undefined` if it is gone
 */
async function deleteOrDeprecate(
  waId: string,
  status: FlowRecord['status'] | undefined,
  upstream: Pick<UpstreamFlows, 'delete' | 'deprecate'>,
): Promise<'DEPRECATED' | undefined> {
  if (status === 'DEPRECATED') return status;
  if (status === 'DRAFT') {
    try {
      await upstream.delete(waId);
      return undefined;
    } catch (error) {
      if (isNoSuchObject(error)) return undefined;
      if (!(error instanceof UpstreamError) || error.code !== notDraft) throw error;
    }
  }
  await upstream.deprecate(waId);
  return 'DEPRECATED';
}

/** The table is typed by kind, so each entry takes exactly the intent by which it is looked up. */
export const changeOf = (intent: ChangeIntent) => changes[intent.change] as Change<ChangeIntent>;

const rejected = Symbol('rejected');

function rejectedOrThrow(error: unknown): typeof rejected {
  if (error instanceof UpstreamError && error.failure === 'rejected') return rejected;
  throw error;
}

/** Reads the Flow back after the upstream accepted a change. If that fails, the outcome is unknown. */
async function readBack(context: FlowContext, waId: string): Promise<UpstreamFlow | undefined> {
  try {
    return await context.upstream.get(waId);
  } catch (error) {
    const isLate = error instanceof UpstreamError && error.failure === 'timeout';
    const failure = isLate ? 'timeout' : 'broken-response';
    throw new UpstreamError(failure, 'The change was made but could not be read back.', { cause: error });
  }
}

/** Members that an edit may change upstream although it does not set them. */
type Reported = Pick<FlowChanges, 'status' | 'status_heard_at' | 'version'>;

/** What the upstream says about a Flow now. Its earlier reports are outdated. */
function reported(found: UpstreamFlow | undefined, askedAt: number): Reported {
  const status = statusOf(found);
  return {
    ...(status && { status, status_heard_at: askedAt }),
    ...(found?.json_version != null && { version: found.json_version }),
  };
}

const statusOf = (found: UpstreamFlow | undefined) =>
  found?.status === undefined ? undefined : statusFromUpstream(found.status);

function upstreamMetadata(metadata: FlowMetadataChanges, flow: string, context: FlowContext): UpstreamMetadata {
  return {
    name: metadata.name,
    categories: categoryCodes(metadata.categories),
    ...(typeof metadata.endpoint_url === 'string' && { endpoint_uri: context.endpointUri(flow) }),
  };
}

/**
 * What removes the endpoint of a Flow upstream. Meta documents no way to do so, but others send an empty text. A Flow
 * without an endpoint gets none of this, so that an upstream that rejects it rejects removals only.
 */
function removal(flow: FlowRecord, { endpoint_url }: FlowMetadataChanges): Pick<UpstreamMetadata, 'endpoint_uri'> {
  return endpoint_url === null && flow.endpoint_url !== null ? { endpoint_uri: '' } : {};
}

/** The metadata that both sides have after an edit: if the upstream keeps an endpoint that the edit removes, so do we. */
function whatWasTaken(
  flow: FlowRecord,
  metadata: FlowMetadataChanges,
  found: UpstreamFlow | undefined,
): FlowMetadataChanges {
  if (metadata.endpoint_url !== null || flow.endpoint_url === null || !found || !hasEndpoint(found)) return metadata;
  const { endpoint_url: _, endpoint_encrypted: __, ...others } = metadata;
  return others;
}

const hasEndpoint = ({ endpoint_uri }: UpstreamFlow) => typeof endpoint_uri === 'string' && endpoint_uri !== '';

function hasMetadata(found: UpstreamFlow, { name, categories, endpoint_url }: FlowMetadataChanges): boolean {
  const ids = categoryIdsFromUpstream(found.categories ?? []);
  return (
    found.name === name &&
    isDeepStrictEqual(ids.toSorted(), categories.toSorted()) &&
    (endpoint_url === undefined || hasEndpoint(found) === (endpoint_url !== null))
  );
}

/** Names are unique in an account only, and others can have made a Flow of this name there. A new one has no JSON. */
function canBeOurs(found: UpstreamFlow, flow: FlowRecord, context: FlowContext): boolean {
  const endpoint = flow.endpoint_url === null ? '' : context.endpointUri(flow.id);
  const isNew = found.status === 'DRAFT' && (found.json_version ?? null) === null;
  return isNew && hasMetadata(found, flow) && (found.endpoint_uri ?? '') === endpoint;
}

function sameJson(a: string, b: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
  } catch {
    return false;
  }
}

async function textOf(json: StoredJson, context: FlowContext): Promise<string> {
  const text = await context.flowJson.read(json);
  if (text === undefined) throw new Error('The Flow JSON of a change is gone from the bucket');
  return text;
}

function upstreamId(flow: FlowRecord): LiveFlow['wa_id'] {
  if (flow.wa_id === undefined) throw new Error(`Flow ${flow.id} is not known upstream`);
  return flow.wa_id;
}

/** The business account of the workspace, which every operation on Flows needs. */
export function businessAccount({ wabaId }: { wabaId: string | null }): string {
  if (wabaId === null) throw new ServiceError('workspace.no-business-account');
  return wabaId;
}
