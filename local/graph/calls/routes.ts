import { type ContactId, isUserId, phoneDigits } from '../core/contacts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Population } from '../core/population.ts';
import { RateWindow } from '../core/rate-window.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { objectParam, type Params, stringParam } from '../http/params.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import type { NumberSetup } from '../setup/number-setup.ts';
import { sendingObstacle } from '../setup/sending.ts';
import type { Call, KeptRecord } from './calls.ts';
import type { CallPermissionStore } from './permission-store.ts';
import { permissionNode } from './permissions.ts';
import { type SdpType, sdpFault } from './sdp-fault.ts';
import type { Switchboard } from './switchboard.ts';

export interface CallRoutesOptions {
  readonly callingSettings: CallingSettings;
  readonly population: Population;
  readonly switchboard: Switchboard;
  readonly permissions: CallPermissionStore;
  readonly numbers: NumberSetup;
  readonly faults: SetupFaults;
  readonly now: () => number;
}

const callbackDataLength = 512;
const purposeLength = 250;

/** Graph's operations on calls (Meta's pages "Calling API" and "Obtain user call permissions"). */
export function callRoutes(options: CallRoutesOptions): GraphRoute[] {
  const { callingSettings, population, switchboard, permissions, numbers, faults, now } = options;
  const reads = new RateWindow();
  return [
    action('connect', 'connect_call', connect),
    action('pre_accept', 'pre_accept_call', (request) => {
      switchboard.preAccept(callOf(request), sdpIn(request.params, 'answer'));
      return done;
    }),
    action('accept', 'accept_call', (request) => {
      switchboard.accept({ ...callOf(request), ...keptIn(request.params) }, sdpIn(request.params, 'answer'));
      return done;
    }),
    action('reject', 'reject_call', (request) => {
      switchboard.reject(callOf(request), 'business');
      return done;
    }),
    action('terminate', 'terminate_call', (request) => {
      switchboard.hangUp(callOf(request));
      return done;
    }),
    { operation: 'call_action', method: 'POST', edge: 'calls', handle: rejectAction },
    { operation: 'get_call_permissions', method: 'GET', edge: 'call_permissions', handle: getPermission },
  ];

  function connect({ id, params }: GraphRequest) {
    assertSignalsOverGraph(id);
    numbers.assertRegistered(id);
    const obstacle = sendingObstacle(faults, 'call');
    if (obstacle !== undefined) throw new GraphError(obstacle);
    const contact = population.idOf(calledContact(params));
    const offer = sdpIn(params, 'offer');
    const biz_opaque_callback_data = callbackData(params);
    const call = switchboard.callUser(id, contact, { offer, biz_opaque_callback_data, ...keptIn(params) });
    return { messaging_product: 'whatsapp', calls: [{ id: call.id }] };
  }

  function getPermission({ id, url }: GraphRequest) {
    assertCallingNumber(id);
    const contact = population.idOf(askedContact(url.searchParams));
    const { settings } = switchboard;
    if (!reads.take(id, settings.permission_reads_per_second, now())) throw new GraphError('permission_read_limit');
    return permissionNode(permissions.of(id, contact), settings, now());
  }

  /** The call that the body names. It must belong to the phone number in the path. */
  function callOf({ id, params }: GraphRequest): Call {
    assertSignalsOverGraph(id);
    const callId = required(stringParam(params, 'call_id'), 'call_id');
    const call = switchboard.get(callId);
    if (call.phone_number_id !== id) throw new GraphError('call_unknown');
    return { ...call, biz_opaque_callback_data: callbackData(params) ?? call.biz_opaque_callback_data };
  }

  /** Meta's page on SIP excludes the operations on calls. It says nothing of permissions, which can be read here. */
  function assertSignalsOverGraph(id: string): void {
    assertCallingNumber(id);
    if (callingSettings.usesSip(id)) throw new GraphError('calling_over_sip');
  }

  function assertCallingNumber(id: string): void {
    if (!callingSettings.isOn(id)) throw new GraphError('calling_not_enabled');
  }
}

const done = { messaging_product: 'whatsapp', success: true } as const;

/** One of several operations on the same edge. The body names the operation. */
function action(name: string, operation: string, handle: (request: GraphRequest) => unknown): GraphRoute {
  return {
    operation,
    method: 'POST',
    edge: 'calls',
    takes: ({ params }) => params.get('action') === name,
    handle(request) {
      assertProduct(request.params);
      return handle(request);
    },
  };
}

function rejectAction({ params }: GraphRequest): never {
  required(params.get('action'), 'action');
  throw invalid('action has to be connect, pre_accept, accept, reject or terminate.');
}

function assertProduct(params: Params): void {
  const product = required(stringParam(params, 'messaging_product'), 'messaging_product');
  if (product !== 'whatsapp') throw invalid('messaging_product has to be whatsapp.');
}

/** `to` takes precedence if both are given. */
function calledContact(params: Params): ContactId {
  const to = stringParam(params, 'to');
  if (to !== undefined) return phoneIn(to, 'to');
  return userIdIn(required(stringParam(params, 'recipient'), 'to'), 'recipient');
}

function askedContact(query: URLSearchParams): ContactId {
  const waId = query.get('user_wa_id');
  if (waId !== null) return phoneIn(waId, 'user_wa_id');
  return userIdIn(required(query.get('recipient'), 'user_wa_id'), 'recipient');
}

function phoneIn(text: string, name: string): ContactId {
  const digits = phoneDigits(text);
  if (digits === undefined) throw invalid(`${name} has to be a phone number.`);
  return digits;
}

function userIdIn(text: string, name: string): ContactId {
  if (!isUserId(text)) throw invalid(`${name} has to be a business-scoped user id.`);
  return text;
}

function sdpIn(params: Params, type: SdpType): string {
  const session = required(objectParam(params, 'session'), 'session');
  const sdpType = required(stringParam(session, 'sdp_type'), 'session.sdp_type');
  if (sdpType !== type) throw invalid(`session.sdp_type has to be ${type}.`);
  const sdp = required(stringParam(session, 'sdp'), 'session.sdp');
  const fault = sdpFault(sdp, type);
  if (fault !== undefined) throw invalid(`session.sdp is not a valid ${type}: ${fault}.`);
  return sdp;
}

function callbackData(params: Params): string | null {
  const data = stringParam(params, 'biz_opaque_callback_data') ?? null;
  if (data !== null && [...data].length > callbackDataLength) {
    throw invalid(`biz_opaque_callback_data has more than ${callbackDataLength} characters.`);
  }
  return data;
}

/** What is to be kept of the call (Meta's pages "Call recording" and "Call transcription"). */
function keptIn(params: Params): Pick<Call, 'recording' | 'transcription'> {
  return { recording: keptRecord(params, 'recording'), transcription: keptRecord(params, 'transcription') };
}

function keptRecord(params: Params, name: 'recording' | 'transcription'): KeptRecord | null {
  const record = objectParam(params, name);
  if (record === undefined) return null;
  const status = required(stringParam(record, 'status'), `${name}.status`);
  if (status !== 'ENABLED' && status !== 'DISABLED') throw invalid(`${name}.status has to be ENABLED or DISABLED.`);
  if (status === 'DISABLED') return null;
  const purpose = required(stringParam(record, 'purpose'), `${name}.purpose`);
  if ([...purpose].length > purposeLength) throw invalid(`${name}.purpose has more than ${purposeLength} characters.`);
  const language = stringParam(record, 'announcement_language') ?? null;
  if (language !== null && !/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)) {
    throw invalid(`${name}.announcement_language has to be a locale.`);
  }
  return { purpose, announcement_language: language };
}

function required<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null || value === '') {
    throw new GraphError('calling_parameter_missing', `The parameter ${name} is required.`);
  }
  return value;
}

function invalid(details: string): GraphError {
  return new GraphError('calling_parameter_invalid', details);
}
