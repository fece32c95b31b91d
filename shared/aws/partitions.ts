/**
 * The partitions of the table, by which roles are limited: with `#` at its end it is the prefix of the partition keys
 * of one kind of item, otherwise the whole key. `shared/aws/keys.ts` builds the keys.
 */
export const tablePartitions = [
  'DELIVERIES#',
  'ENVELOPE#',
  'EVENT_NOTE#',
  'EXCHANGES#',
  'FLOWS#',
  'FLOW_JSON#',
  'FUNNEL#',
  'KEYED_REQUEST#',
  'MEDIA#',
  'PHONE_NUMBER_ID#',
  'PREVIEW#',
  'SECRETS#',
  'SENT_FLOW#',
  'SUBSCRIBER#',
  'TEMPLATE#',
  'TOKEN#',
  'UNKNOWN_NUMBERS',
  'UPLOAD#',
  'UPLOADS#',
  'UPSTREAM_FLOW#',
  'USER#',
  'VERIFY_TOKEN#',
  'WABA#',
  'WORKSPACE#',
] as const;

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
} as const satisfies Record<string, Readonly<Record<string, (typeof tablePartitions)[number]>>>;

export type TablePartition = (typeof tablePartitions)[number];
export type IndexName = keyof typeof indexPartitions;
export type IndexPartition<I extends IndexName> = keyof (typeof indexPartitions)[I];
