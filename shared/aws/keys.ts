/**
 * All keys of the single table. `pk` and `sk` identify an item; `gsi1` and `gsi2` are sparse indexes of keys only.
 *
 * | Item            | pk                    | sk                | gsi1pk / gsi1sk                  | gsi2pk / gsi2sk        |
 * |-----------------|-----------------------|-------------------|----------------------------------|------------------------|
 * | workspace       | WORKSPACE#id          | WORKSPACE         | WORKSPACES / WORKSPACE#id        | OWN_CREDENTIALS / WORKSPACE#id, if it has credentials of its own |
 * | business account | WABA#waba_id         | ACCOUNT           |                                  |                        |
 * | workspace of a business account | WABA#waba_id | WORKSPACE#id |                   |                        |
 * | member          | WORKSPACE#id          | MEMBER#user       | USER#id / WORKSPACE#id           |                        |
 * | Flow            | WORKSPACE#id          | FLOW#id           | FLOW#id / FLOW                   | CHANGING#workspace / FLOW#id, while a change is on record |
 * | Flow by status  | FLOWS#workspace#status | FLOW#id          |                                  |                        |
 * | Flow JSON       | FLOW_JSON#id          | FLOW_JSON         |                                  |                        |
 * | exchange        | EXCHANGES#flow        | EXCHANGE#id       |                                  |                        |
 * | envelope of an exchange | ENVELOPE#sha256 | ENVELOPE          |                                  |                        |
 * | sent Flow       | SENT_FLOW#sha256      | SENT_FLOW         |                                  |                        |
 * | message of a sent Flow | SENT_FLOW#sha256 | MESSAGE         |                                  |                        |
 * | funnel counts   | FUNNEL#flow#n         | FUNNEL            |                                  |                        |
 * | upstream Flow   | UPSTREAM_FLOW#wa_id   | UPSTREAM_FLOW     |                                  |                        |
 * | account of a template | TEMPLATE#id     | TEMPLATE          |                                  |                        |
 * | number          | SUBSCRIBER#id         | NUMBER            | WORKSPACE#id / NUMBER#id         |                        |
 * | workspace as a subscriber | SUBSCRIBER#id | WORKSPACE       |                                  |                        |
 * | target of a subscriber | SUBSCRIBER#id  | TARGET#target     | TRIPPED / SUBSCRIBER#id#target, while its breaker is open or draining | |
 * | secrets of a subscriber | SECRETS#id    | SECRETS           |                                  |                        |
 * | secrets of one target | SECRETS#subscriber | TARGET#target  |                                  |                        |
 * | delivery        | DELIVERIES#subscriber#target#n | DELIVERY#id       | DUE#n / time, while it waits; STATE#subscriber#target#n / DELIVERY#id, while held, exhausted or discarded | WAITING#subscriber#target#n / DELIVERY#id, while it waits |
 * | phone number id | PHONE_NUMBER_ID#id    | PHONE_NUMBER_ID   |                                  |                        |
 * | note of a number's last event | EVENT_NOTE#number | EVENT_NOTE  |                                  |                        |
 * | unknown number with events | UNKNOWN_NUMBERS | PHONE_NUMBER_ID#id |                              |                        |
 * | preview         | PREVIEW#id            | PREVIEW           |                                  |                        |
 * | copy of media   | MEDIA#number          | MEDIA#id          |                                  |                        |
 * | upload of media | UPLOAD#number         | UPLOAD#id         |                                  |                        |
 * | bytes of a workspace's uploads in an hour | UPLOADS#workspace | HOUR#n |                               |                        |
 * | keyed request   | KEYED_REQUEST#sha256  | KEYED_REQUEST     |                                  |                        |
 * | verify token of a workspace | VERIFY_TOKEN#sha256 | VERIFY_TOKEN |                        |                        |
 * | user            | USER#id               | USER              | USERS / USER#id                  |                        |
 * | token           | TOKEN#sha256          | TOKEN             | USER#id / TOKEN#sha256           |                        |
 *
 * A subscriber is a number or a workspace. One partition has all that decides how its notifications are delivered. Its
 * secrets have a partition of their own, which only those functions may read that sign or rotate.
 */
export const keys = {
  workspace: (workspace: string) => ({ pk: join('WORKSPACE', workspace), sk: 'WORKSPACE' }),
  /** A business account, with the set of the workspaces that have it, or had it. */
  account: (wabaId: string) => ({ pk: join('WABA', wabaId), sk: 'ACCOUNT' }),
  /** A workspace that has, or had, this business account. */
  workspaceOfAccount: (wabaId: string, workspace: string) => ({
    pk: join('WABA', wabaId),
    sk: join('WORKSPACE', workspace),
  }),
  member: (workspace: string, user: string) => ({ pk: join('WORKSPACE', workspace), sk: join('MEMBER', user) }),
  flow: (workspace: string, flow: string) => ({ pk: join('WORKSPACE', workspace), sk: join('FLOW', flow) }),
  /** A Flow's entry in the list of the Flows with a status. It has the sort key of the Flow, and nothing else. */
  flowOfStatus: (workspace: string, status: string, flow: string) => ({
    pk: `${join('FLOWS', workspace)}#${status}` as const,
    sk: join('FLOW', flow),
  }),
  flowJson: (id: string) => ({ pk: join('FLOW_JSON', id), sk: 'FLOW_JSON' }),
  exchange: (flow: string, exchange: string) => ({ pk: join('EXCHANGES', flow), sk: join('EXCHANGE', exchange) }),
  envelope: (hash: string) => ({ pk: join('ENVELOPE', hash), sk: 'ENVELOPE' }),
  sentFlow: (tokenHash: string) => ({ pk: join('SENT_FLOW', tokenHash), sk: 'SENT_FLOW' }),
  /** Leads from a message, by the hash of its id, to the Flow that it sent. */
  messageOfSentFlow: (hash: string) => ({ pk: join('SENT_FLOW', hash), sk: 'MESSAGE' }),
  /** A part of the counts of a Flow. */
  funnel: (flow: string, shard: number) => ({ pk: `${join('FUNNEL', flow)}#${shard}` as const, sk: 'FUNNEL' }),
  upstreamFlow: (waId: string) => ({ pk: join('UPSTREAM_FLOW', waId), sk: 'UPSTREAM_FLOW' }),
  template: (id: string) => ({ pk: join('TEMPLATE', id), sk: 'TEMPLATE' }),
  number: (number: string) => ({ pk: join('SUBSCRIBER', number), sk: 'NUMBER' }),
  workspaceSubscriber: (workspace: string) => ({ pk: join('SUBSCRIBER', workspace), sk: 'WORKSPACE' }),
  target: (subscriber: string, target: string) => ({ pk: join('SUBSCRIBER', subscriber), sk: join('TARGET', target) }),
  secrets: (subscriber: string) => ({ pk: join('SECRETS', subscriber), sk: 'SECRETS' }),
  /** What only one of its targets has. */
  targetSecrets: (subscriber: string, target: string) => ({
    pk: join('SECRETS', subscriber),
    sk: join('TARGET', target),
  }),
  delivery: (subscriber: string, target: string, delivery: string) => ({
    pk: deliveryPartition(subscriber, target, shardOf(delivery)),
    sk: join('DELIVERY', delivery),
  }),
  phoneNumberId: (id: string) => ({ pk: join('PHONE_NUMBER_ID', id), sk: 'PHONE_NUMBER_ID' }),
  eventNote: (number: string) => ({ pk: join('EVENT_NOTE', number), sk: 'EVENT_NOTE' }),
  /** Few numbers are unknown, and each is noted at most once a minute, so one partition has them all. */
  unknownNumber: (phoneNumberId: string) => ({
    pk: 'UNKNOWN_NUMBERS' as const,
    sk: join('PHONE_NUMBER_ID', phoneNumberId),
  }),
  mediaCopy: (number: string, media: string) => ({ pk: join('MEDIA', number), sk: join('MEDIA', media) }),
  uploadedBytes: (workspace: string, hour: number) => ({
    pk: join('UPLOADS', workspace),
    sk: join('HOUR', String(hour)),
  }),
  mediaUpload: (number: string, upload: string) => ({ pk: join('UPLOAD', number), sk: join('UPLOAD', upload) }),
  preview: (preview: string) => ({ pk: join('PREVIEW', preview), sk: 'PREVIEW' }),
  /** What is known about an `Idempotency-Key`. */
  keyedRequest: (hash: string) => ({ pk: join('KEYED_REQUEST', hash), sk: 'KEYED_REQUEST' }),
  verifyToken: (hash: string) => ({ pk: join('VERIFY_TOKEN', hash), sk: 'VERIFY_TOKEN' }),
  user: (user: string) => ({ pk: join('USER', user), sk: 'USER' }),
  token: (hash: string) => ({ pk: join('TOKEN', hash), sk: 'TOKEN' }),
} as const satisfies Record<string, (...ids: never[]) => { pk: string; sk: string }>;

/** The attributes by which an index finds an item. */
export const indexKeys = {
  workspace: (workspace: string) => ({ gsi1pk: 'WORKSPACES' as const, gsi1sk: join('WORKSPACE', workspace) }),
  /** The index key of a workspace with credentials of its own. */
  ownCredentials: (workspace: string) => ({
    gsi2pk: 'OWN_CREDENTIALS' as const,
    gsi2sk: join('WORKSPACE', workspace),
  }),
  flow: (flow: string) => ({ gsi1pk: join('FLOW', flow), gsi1sk: 'FLOW' }),
  /** The index key of a Flow with a change on record, which may have been abandoned. */
  changingFlow: (workspace: string, flow: string) => ({
    gsi2pk: join('CHANGING', workspace),
    gsi2sk: join('FLOW', flow),
  }),
  numberOfWorkspace: (workspace: string, number: string) => ({
    gsi1pk: join('WORKSPACE', workspace),
    gsi1sk: join('NUMBER', number),
  }),
  tripped: (subscriber: string, target: string) => ({
    gsi1pk: 'TRIPPED' as const,
    gsi1sk: `${join('SUBSCRIBER', subscriber)}#${target}`,
  }),
  user: (user: string) => ({ gsi1pk: 'USERS' as const, gsi1sk: join('USER', user) }),
  membershipOfUser: (user: string, workspace: string) => ({
    gsi1pk: join('USER', user),
    gsi1sk: join('WORKSPACE', workspace),
  }),
  tokenOfUser: (user: string, hash: string) => ({ gsi1pk: join('USER', user), gsi1sk: join('TOKEN', hash) }),
} as const satisfies Record<string, (...ids: never[]) => IndexKey>;

type IndexKey =
  | { gsi1pk: `${IndexPartition<'gsi1'>}${string}`; gsi1sk: string }
  | { gsi2pk: `${IndexPartition<'gsi2'>}${string}`; gsi2sk: string };

/** This id sorts after every UUID. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Sort key prefixes for queries. */
export const prefixes = { member: 'MEMBER#', flow: 'FLOW#', target: 'TARGET#', workspace: 'WORKSPACE#' } as const;

/**
 * The number of items that share the counts of a Flow: as many as one `BatchGetItem` reads. A campaign may send a
 * thousand a second and be opened as quickly. Each count is a transaction of some milliseconds, and of two transactions
 * on one item at the same time DynamoDB cancels one.
 */
export const funnelShards = 100;

/** Ids are UUIDs, digits or hex. Anything else is a bug of the caller and must not lead to another item's key. */
export function join<K extends string>(kind: K, id: string): `${K}#${string}` {
  if (!/^[\w.:-]+$/.test(id)) throw new TypeError(`Not an id that a key can be built from: ${JSON.stringify(id)}`);
  return `${kind}#${id}`;
}

/** The attributes by which an index finds a delivery. */
export const deliveryIndexKeys = {
  due: (delivery: string, at: number) => ({
    gsi1pk: duePartition(shardOf(delivery)),
    gsi1sk: dueBefore(at) + delivery,
  }),
  /** Finds the deliveries of a target in one state. A delivery that waits is in `gsi1` by the time when it is due. */
  inState: (state: IndexedState, subscriber: string, target: string, delivery: string) => {
    const found = stateIndex(state, subscriber, target, shardOf(delivery));
    const sk = join('DELIVERY', delivery);
    return found.index === 'gsi1' ? { gsi1pk: found.partition, gsi1sk: sk } : { gsi2pk: found.partition, gsi2sk: sk };
  },
};

/**
 * The number of partitions that share the deliveries to one target, those in one state, and those of all subscribers
 * that wait; a list merges them. A partition accepts 1,000 write units a second. A number may have 1,000 messages a
 * second and three statuses for each. A delivery is written twice, with its payload: a status has 0.7 to 1.0 KB, which
 * is one unit, and a message 0.8 to 1.7 KB, one or two. That makes at most 10,000 units a second, or 13,000 while the
 * receiver fails and its responses are kept. An index takes one unit for each entry that is added or removed.
 */
const shards = 16;

/** The partitions of a list, each built from its number. */
export const eachShard = <T>(partition: (shard: number) => T): T[] =>
  Array.from({ length: shards }, (_, shard) => partition(shard));

/**
 * The states in which an index finds a delivery, because few deliveries are in them, and a list of these must not read
 * all others. To index `sending` and `delivered` would cost write units for each notification.
 */
const indexedStates = ['waiting', 'held', 'exhausted', 'discarded'] as const;

export type IndexedState = (typeof indexedStates)[number];

export const isIndexed = (state: string): state is IndexedState => indexedStates.some((each) => each === state);

export const deliveryPartition = (subscriber: string, target: string, shard: number) =>
  `${join('DELIVERIES', subscriber)}#${target}#${shard}` as const;

export function stateIndex(state: IndexedState, subscriber: string, target: string, shard: number) {
  const place = `${target}#${shard}` as const;
  return state === 'waiting'
    ? { index: 'gsi2' as const, partition: `${join('WAITING', subscriber)}#${place}` as const }
    : { index: 'gsi1' as const, partition: `${join(partitionOfState[state], subscriber)}#${place}` as const };
}

const partitionOfState = { held: 'HELD', exhausted: 'EXHAUSTED', discarded: 'DISCARDED' } as const;

export const duePartition = (shard: number) => `DUE#${shard}` as const;

/** Everything that is due before this time has a lower sort key. */
export const dueBefore = (at: number) => `${String(Math.round(at)).padStart(15, '0')}#`;

/** The last digits of a delivery's id come from a hash, so they spread evenly. */
function shardOf(delivery: string): number {
  return Number.parseInt(delivery.slice(-4), 16) % shards;
}

type PartitionOf<Key> = Key extends `${infer Kind}#${string}` ? `${Kind}#` : Key;

/**
 * The partitions of the table, by which roles are limited: with `#` at its end it is the prefix of the partition keys
 * of one kind of item, otherwise the whole key.
 */
export type TablePartition = PartitionOf<ReturnType<(typeof keys)[keyof typeof keys]>['pk']>;

/** The partitions of each index of the table, each with that of the items that a function finds there. */
export const indexPartitions = {
  gsi1: {
    'DISCARDED#': 'DELIVERIES#',
    'DUE#': 'DELIVERIES#',
    'EXHAUSTED#': 'DELIVERIES#',
    'FLOW#': 'WORKSPACE#',
    'HELD#': 'DELIVERIES#',
    TRIPPED: 'SUBSCRIBER#',
    'USER#': 'WORKSPACE#',
    USERS: 'USER#',
    'WORKSPACE#': 'SUBSCRIBER#',
    WORKSPACES: 'WORKSPACE#',
  },
  gsi2: { 'CHANGING#': 'WORKSPACE#', OWN_CREDENTIALS: 'WORKSPACE#', 'WAITING#': 'DELIVERIES#' },
} as const satisfies Record<string, Readonly<Record<string, TablePartition>>>;

export type IndexName = keyof typeof indexPartitions;
export type IndexPartition<I extends IndexName> = keyof (typeof indexPartitions)[I];
