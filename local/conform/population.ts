import { isObject } from '#shared/base/json/json-object.ts';
import type { BusinessAccount } from '../graph/core/accounts.ts';
import { type Entry, type Exchange, isExchange, type Json } from '../recording/recording.ts';
import { errorMember } from './errors.ts';

/** An object of Graph and an edge of it, from a path such as `/v25.0/123/messages`. */
export function targetOf(path: string): { id: string; edge: string | undefined } {
  const [id = '', edge] = path
    .replace(/^\/v\d+\.\d+/, '')
    .split('/')
    .filter((segment) => segment !== '');
  return { id: decodeURIComponent(id), edge };
}

const accountEdges = ['flows', 'message_templates', 'phone_numbers', 'subscribed_apps', 'migrate_flows'];
export const numberEdges = [
  'call_permissions',
  'calls',
  'deregister',
  'marketing_messages',
  'media',
  'messages',
  'register',
  'settings',
  'whatsapp_business_encryption',
  'whatsapp_business_profile',
];

/** What an entry says about an account or a number. */
interface Sighting {
  readonly account?: string | undefined;
  readonly number?: string | undefined;
  readonly display?: string | undefined;
  readonly takesCalls?: boolean;
}

/** The accounts and numbers that a recording shows. A number whose account it does not show belongs to the first one. */
export function accountsIn(entries: readonly Entry[]): BusinessAccount[] {
  const sightings = entries.flatMap((entry) => (isExchange(entry) ? inExchange(entry) : inEvent(entry.event)));
  const accounts = new Set(sightings.flatMap(({ account }) => account ?? []));
  const [first = '100000000000001'] = accounts;
  const ofNumbers = [...Map.groupBy(sightings, ({ number }) => number)].flatMap(([id, seen]) =>
    id === undefined ? [] : [{ id, seen }],
  );
  const numbers = ofNumbers.map(({ id, seen }) => ({
    account: seen.find(({ account }) => account !== undefined)?.account ?? first,
    id,
    display_phone_number: seen.find(({ display }) => display !== undefined)?.display ?? '15550100001',
    calling_enabled: seen.some(({ takesCalls }) => takesCalls),
  }));
  return [...new Set([first, ...accounts])].map((waba_id) => ({
    waba_id,
    name: 'Recorded',
    phone_numbers: numbers.filter(({ account }) => account === waba_id).map(({ account: _, ...number }) => number),
  }));
}

function inExchange({ request, response }: Exchange): Sighting[] {
  const { id, edge = '' } = targetOf(request.path);
  const takesCalls =
    (response.status === 200 || isRejectedCall(response.body?.json)) &&
    (edge === 'calls' ||
      edge === 'call_permissions' ||
      (edge === 'settings' && isEnabled(response.body?.json)) ||
      (edge === 'messages' && asksForCalls(request.body?.json)));
  const queried = request.query?.phone_number_id;
  return [
    ...(accountEdges.includes(edge) ? [{ account: id }] : []),
    ...(numberEdges.includes(edge) ? [{ number: id, takesCalls }] : []),
    ...(queried === undefined ? [] : [{ number: queried }]),
  ];
}

/** Whether an error can only come from a number with calling: it is about a call, and not that calling is off. */
function isRejectedCall(json: Json): boolean {
  const codes: readonly unknown[] = [138_001, 138_002, 138_003, 138_005, 138_006, 138_009, 138_012, 138_017];
  return codes.includes(errorMember(json, 'code'));
}

/** Whether a message asks for the permission to call, which only a number with calling may send. */
const asksForCalls = (json: Json) =>
  isObject(json) && isObject(json.interactive) && json.interactive.type === 'call_permission_request';

const isEnabled = (json: Json) => isObject(json) && isObject(json.calling) && json.calling.status === 'ENABLED';

function inEvent(event: Json): Sighting[] {
  const items = (value: Json, name: string) => (isObject(value) && Array.isArray(value[name]) ? value[name] : []);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return items(event, 'entry').flatMap((entry: Json) =>
    items(entry, 'changes').map((change: Json) => {
      const value = isObject(change) && isObject(change.value) ? change.value : {};
      const metadata = isObject(value.metadata) ? value.metadata : {};
      return {
        account: isObject(entry) ? text(entry.id) : undefined,
        number: text(metadata.phone_number_id),
        display: text(metadata.display_phone_number),
        takesCalls: isObject(change) && change.field === 'calls',
      };
    }),
  );
}
