import { isObject } from '#shared/base/json/json-object.ts';
import type { Exchange, Json } from '../recording/recording.ts';
import { errorMember } from './errors.ts';
import type { SingleEvent } from './events.ts';
import type { IdMap } from './ids.ts';
import type { Platform } from './platform.ts';
import { numberEdges, targetOf } from './population.ts';

const flowEdges = ['assets', 'publish', 'deprecate'];
const mediaTypes = ['image', 'audio', 'video', 'document', 'sticker'];

/**
 * Makes what a request needs and the recording does not show, because it existed before: Flows, files, permissions to
 * call. What a request asks for and the platform did not have either is not made.
 */
export async function prepare(platform: Platform, exchange: Exchange, ids: IdMap): Promise<void> {
  const { request, response } = exchange;
  if (response.status !== 200) return prepareError(platform, exchange);
  const { id, edge } = targetOf(request.path);
  if (edge === undefined) await prepareObject(platform, exchange, ids);
  else if (flowEdges.includes(edge)) await makeFlow(platform, id, {}, ids);
  else if (edge === 'flows') await prepareFlows(platform, response.body?.json, ids);
  else if (numberEdges.includes(edge)) {
    if (edge === 'call_permissions') await preparePermission(platform, id, exchange);
    if (edge === 'whatsapp_business_encryption') await prepareKey(platform, request.path, response.body?.json);
    await prepareSending(platform, id, request.body?.json, ids);
  }
}

/** What the platform had, so that it rejected the request: a Flow of the same name, a permission to call. */
async function prepareError(platform: Platform, { request, response }: Exchange): Promise<void> {
  const errorOf = (name: string) => errorMember(response.body?.json, name);
  const body = request.body?.json;
  if (!isObject(body)) return;
  if (errorOf('error_subcode') === nameTaken && typeof body.name === 'string') {
    await platform.graph('POST', `/${platform.account}/flows`, { name: body.name, categories: ['OTHER'] });
  }
  if (errorOf('code') === alreadyPermitted) await permit(platform, targetOf(request.path).id, body);
}

/** Meta's page "Error codes" of Flows. */
const nameTaken = 4016019;
/** Meta's page "Troubleshoot WhatsApp Calling Errors". */
const alreadyPermitted = 138017;

/** Lets the business call the person to whom a request goes. */
async function permit(platform: Platform, number: string, { to, recipient }: Readonly<Record<string, unknown>>) {
  const contact = to ?? recipient;
  if (typeof contact !== 'string') return;
  const path = `/call-permissions/${number}/${encodeURIComponent(contact)}`;
  await platform.control('PUT', path, { status: 'permanent' });
}

/** A Flow or a file that the request reads, changes or deletes. */
async function prepareObject(platform: Platform, exchange: Exchange, ids: IdMap): Promise<void> {
  const { id } = targetOf(exchange.request.path);
  const answer = exchange.response.body?.json;
  if (isFlow(answer)) await makeFlow(platform, id, answer, ids);
  else if (isMedia(answer)) await makeMedia(platform, id, ids, answer.mime_type);
  else if (exchange.request.method !== 'GET') await makeChanged(platform, exchange, ids);
}

/** The Flows that a list shows. */
async function prepareFlows(platform: Platform, list: Json, ids: IdMap): Promise<void> {
  const flows: readonly Json[] = isObject(list) && Array.isArray(list.data) ? list.data : [];
  for (const flow of flows) if (isFlow(flow)) await makeFlow(platform, String(flow.id), flow, ids);
}

async function preparePermission(platform: Platform, number: string, { request, response }: Exchange): Promise<void> {
  const contact = request.query?.user_wa_id ?? request.query?.recipient;
  const answer = response.body?.json;
  const permission = isObject(answer) ? answer.permission : undefined;
  if (contact === undefined || !isObject(permission)) return;
  const path = `/call-permissions/${number}/${encodeURIComponent(contact)}`;
  await platform.control('PUT', path, { status: permission.status });
}

async function prepareKey(platform: Platform, path: string, answer: Json): Promise<void> {
  const [key]: Json[] = isObject(answer) && Array.isArray(answer.data) ? answer.data : [];
  const { id, edge } = targetOf(path);
  if (isObject(key)) await platform.graph('POST', `/${id}/${edge}`, { business_public_key: key.business_public_key });
}

/** What a message or a call refers to. */
async function prepareSending(platform: Platform, number: string, body: Json, ids: IdMap): Promise<void> {
  if (!isObject(body)) return;
  for (const file of mediaIdsIn(body)) await makeMedia(platform, file, ids, undefined, number);
  const flow = flowIn(body);
  if (flow !== undefined) await makeFlow(platform, flow.id, { status: flow.status }, ids, flow.screen);
  if (body.action === 'connect') await permit(platform, number, body);
}

function mediaIdsIn(body: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  const look = (value: Json, name: string): void => {
    if (Array.isArray(value)) for (const item of value) look(item, name);
    if (!isObject(value)) return;
    if (mediaTypes.includes(name) && typeof value.id === 'string') found.push(value.id);
    for (const [key, member] of Object.entries(value)) look(member, key);
  };
  look(body, '');
  return found;
}

function flowIn({ interactive }: Readonly<Record<string, unknown>>) {
  const action = isObject(interactive) ? interactive.action : undefined;
  const parameters = isObject(action) && isObject(action.parameters) ? action.parameters : {};
  const { flow_id: id, mode, flow_action_payload: payload } = parameters;
  if (typeof id !== 'string') return undefined;
  const screen = isObject(payload) && typeof payload.screen === 'string' ? payload.screen : undefined;
  return { id, status: mode === 'draft' ? 'DRAFT' : 'PUBLISHED', screen };
}

const isFlow = (json: Json): json is Record<string, unknown> => isObject(json) && Array.isArray(json.categories);
const isMedia = (json: Json): json is { mime_type: string } => isObject(json) && typeof json.mime_type === 'string';

/** What is deleted or changed. The query tells a file from a Flow, and what is changed a Flow from a number. */
async function makeChanged(platform: Platform, { request }: Exchange, ids: IdMap): Promise<void> {
  const { id } = targetOf(request.path);
  const number = request.query?.phone_number_id;
  const json = request.body?.json;
  const changesFlow =
    isObject(json) && ['name', 'categories', 'endpoint_uri'].some((member) => Object.hasOwn(json, member));
  if (number !== undefined) await makeMedia(platform, id, ids, undefined, number);
  else if (request.method === 'DELETE' || changesFlow) await makeFlow(platform, id, {}, ids);
}

async function makeMedia(
  platform: Platform,
  id: string,
  ids: IdMap,
  mime_type = 'image/jpeg',
  phone_number_id?: string,
): Promise<void> {
  if (ids.has(id)) return;
  const number = phone_number_id === undefined ? {} : { phone_number_id };
  await platform.control('POST', '/media', { id, mime_type, ...number });
  ids.set(id, id);
}

/** A Flow that existed before, in its recorded status. */
async function makeFlow(
  platform: Platform,
  id: string,
  { name = `Flow ${id}`, status, categories = ['OTHER'], endpoint_uri }: Readonly<Record<string, unknown>>,
  ids: IdMap,
  screen = 'SCREEN',
): Promise<void> {
  if (ids.has(id)) return;
  const uri = typeof endpoint_uri === 'string' ? { endpoint_uri } : {};
  const body = { name, categories, flow_json: JSON.stringify(flowJson(screen)), ...uri };
  const { json } = await platform.graph('POST', `/${platform.account}/flows`, body);
  if (!isObject(json) || typeof json.id !== 'string') return;
  ids.set(id, json.id);
  if (status === undefined || status === 'DRAFT') return;
  await platform.graph('POST', `/${json.id}/publish`);
  if (status === 'DEPRECATED') await platform.graph('POST', `/${json.id}/deprecate`);
  else if (status !== 'PUBLISHED') await platform.control('POST', `/flows/${json.id}/status`, { status });
}

const flowJson = (id: string) => ({
  version: '7.3',
  screens: [
    {
      id,
      title: 'Screen',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [{ type: 'Footer', label: 'Done', 'on-click-action': { name: 'complete', payload: {} } }],
      },
    },
  ],
});

/**
 * Lets the simulated platform go through what a recorded event tells, so that later requests find the same state: a
 * message came in, somebody called, answered or hung up.
 */
export async function play(platform: Platform, event: SingleEvent, ids: IdMap): Promise<void> {
  const { metadata, messages, calls } = event.value;
  const number = isObject(metadata) ? metadata.phone_number_id : undefined;
  const [message] = Array.isArray(messages) ? messages : [];
  const [call] = Array.isArray(calls) ? calls : [];
  if (isObject(message) && typeof message.id === 'string') {
    const from = typeof message.from === 'string' ? { wa_id: message.from } : {};
    const contact = { ...from, ...(typeof message.from_user_id === 'string' && { user_id: message.from_user_id }) };
    const text = { type: 'text', phone_number_id: number, contact, id: message.id };
    await platform.control('POST', '/events', { events: [text] });
  }
  if (isObject(call) && typeof call.id === 'string') await playCall(platform, String(number), call, ids);
}

async function playCall(
  platform: Platform,
  phone_number_id: string,
  call: Readonly<Record<string, unknown>>,
  ids: IdMap,
): Promise<void> {
  const id = String(call.id);
  if (call.event === 'connect' && call.direction === 'USER_INITIATED') {
    const from = call.from ?? call.from_user_id;
    const { json } = await platform.control('POST', '/calls', { phone_number_id, ...(from !== undefined && { from }) });
    if (isObject(json) && typeof json.id === 'string') ids.set(id, json.id);
    return;
  }
  const path = `/calls/${encodeURIComponent(ids.get(id))}`;
  if (call.event === 'connect') await platform.control('POST', `${path}/answer`);
  // A call that the business has ended is over already.
  if (call.event === 'terminate') await platform.control('POST', `${path}/hang-up`);
}
