import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { envelopeOf } from '../graph/events/envelope.ts';
import { buildEvent, eventTypes } from '../graph/events/events.ts';
import type { Json } from '../recording/recording.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One event of a body that the platform sent, apart from those that came with it. */
export interface SingleEvent {
  /** What it is: `messages/text`, `messages/status/sent`, `calls/connect`, `account_update`. */
  readonly kind: string;
  readonly value: JsonObject;
  readonly field: string;
  /** The body around the value. */
  readonly envelope: Json;
}

/** The lists in an event's value, each with the name that tells its items apart. */
const lists: Readonly<Record<string, (item: JsonObject) => string>> = {
  messages: (item) => [item.type, part(item.interactive, 'type')].filter((one) => one !== undefined).join('/'),
  statuses: ({ status, type }) => `status/${[type, status].filter((one) => one !== undefined).join('/')}`,
  calls: ({ event }) => String(event),
  errors: () => 'error',
  user_actions: ({ action_type }) => `action/${action_type}`,
};

const knownObject = 'whatsapp_business_account';

/** The events in a body, one by one. */
export function eventsOf(body: Json): SingleEvent[] {
  return listIn(body, 'entry').flatMap((entry) =>
    listIn(entry, 'changes').flatMap((change) => {
      if (!isObject(change) || !isObject(change.value)) return [];
      const envelope = without(body, 'entry', [without(entry, 'changes', [without(change, 'value', {})])]);
      return singles(String(change.field), change.value).map((event) => ({
        ...event,
        kind: part(body, 'object') === knownObject ? event.kind : `${part(body, 'object')}/${event.kind}`,
        envelope,
      }));
    }),
  );
}

/** The object with something in place of what is compared apart from it. */
const without = (object: Json, name: string, placeholder: Json): Json =>
  isObject(object) ? { ...object, [name]: placeholder } : object;

type Single = Omit<SingleEvent, 'envelope'>;

function singles(field: string, value: JsonObject): Single[] {
  if (field === 'standby' && isObject(value.standby)) {
    return singles('messages', value.standby).map((event) => asStandby(event, value));
  }
  const found = Object.entries(lists).flatMap(([list, nameOf]) =>
    listIn(value, list).map((item) => ({
      kind: `${field}/${isObject(item) ? nameOf(item) : 'unknown'}`,
      field,
      value: { ...withoutLists(value), [list]: [item] },
    })),
  );
  return found.length > 0 ? found : [{ kind: field, field, value }];
}

/** A message of a conversation that another app holds. */
const asStandby = <E extends Single>({ kind, value: standby, ...event }: E, value: JsonObject) => ({
  ...event,
  kind: `standby/${kind}`,
  field: 'standby',
  value: { ...value, standby },
});

const withoutLists = (value: JsonObject) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(lists, name)));

const listIn = (value: Json, name: string): readonly Json[] => {
  const list = part(value, name);
  return Array.isArray(list) ? list : [];
};

const part = (value: Json, name: string): unknown => (isObject(value) ? value[name] : undefined);

const profile = { name: 'Sample Customer' };
/** The ways in which the platform shows a contact. */
const contacts = [
  { profile, wa_id: '16505551234' },
  { profile, wa_id: '16505551234', user_id: 'US.1' },
  { profile, wa_id: '16505551234', user_id: 'US.1', parent_user_id: 'US.ENT.1' },
  { profile: { ...profile, username: 'sample' }, wa_id: '16505551234', user_id: 'US.1' },
  { profile: { ...profile, username: 'sample' }, wa_id: '16505551234', user_id: 'US.1', parent_user_id: 'US.ENT.1' },
  { profile: { ...profile, username: 'sample' }, user_id: 'US.1', parent_user_id: 'US.ENT.1' },
  { profile: { ...profile, username: 'sample' }, user_id: 'US.1' },
  { profile, user_id: 'US.1' },
  null,
] as const;

const origin = { wabaId: '1', phoneNumberId: '2', displayPhoneNumber: '15550100001' };

/**
 * Every event that the simulated platform has a sample of: with every kind of contact, as standby, and as before user ids.
 */
export function sampleEvents(): SingleEvent[] {
  const samples = allSamples();
  const standby = samples.flatMap((event) => {
    const { messaging_product, metadata, ...rest } = event.value;
    return event.field === 'messages' ? [asStandby({ ...event, value: rest }, { messaging_product, metadata })] : [];
  });
  const all = [...samples, ...standby];
  return [...all, ...all.map((event) => ({ ...event, value: withoutUserIds(event.value) as SingleEvent['value'] }))];
}

/** What the platform shows of people where it shows phone numbers only. */
function withoutUserIds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutUserIds);
  if (!isObject(value)) return value;
  const isUserId = (name: string, member: Json) =>
    name.endsWith('user_id') || (name === 'recipient' && typeof member === 'string');
  const shown = Object.entries(value).filter(([name, member]) => !isUserId(name, member));
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutUserIds(member)]));
}

function allSamples(): SingleEvent[] {
  return eventTypes
    .filter((type) => type !== 'field')
    .flatMap((type) =>
      contacts.flatMap((contact) => {
        const envelope = envelopeOf([buildEvent({ type, contact }, origin, 0)], 0);
        // What is sent has no members that are undefined.
        return eventsOf(parseJson(JSON.stringify(envelope)));
      }),
    );
}
