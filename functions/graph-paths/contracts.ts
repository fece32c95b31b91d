import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { routesOf } from '#shared/graph-paths/path-routing.ts';
import type { FunctionDefinition } from '#shared/operations/contract.ts';

// Four functions serve Graph's paths, each with the rights of its group (shared/graph-paths/graph-paths.ts).

/** Leaves out of a bundle all definitions but that of its function, as with contracts. */
const define = <const D extends FunctionDefinition>(describe: () => D): D => describe();

/** What tying an id to the token's user reads. */
const ties = [
  'PHONE_NUMBER_ID#',
  'SUBSCRIBER#',
  'TEMPLATE#',
  'TOKEN#',
  'UPSTREAM_FLOW#',
  'WABA#',
  'WORKSPACE#',
] as const;
const lists = { gsi1: ['USER#', 'WORKSPACE#'] } as const;

/** What calling the platform about an object uses. */
const asking = {
  table: { BatchGetItem: ties, PutItem: ['TEMPLATE#'], Query: ['WABA#'] },
  indexes: lists,
  upstream: 'call',
} as const;

/** Sends messages and files, and acts on calls, as the operations on numbers do. */
export const graphSend = /* @__PURE__ */ define(() => ({
  name: 'graph-send',
  summary: "Send, upload and call on Graph's paths",
  routes: routesOf('send'),
  uses: {
    table: {
      BatchGetItem: ties,
      DeleteItem: ['KEYED_REQUEST#', 'SENT_FLOW#'],
      GetItem: ['FLOW_JSON#', 'SENT_FLOW#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
      PutItem: ['KEYED_REQUEST#', 'MEDIA#', 'SENT_FLOW#'],
      Query: ['WABA#', 'WORKSPACE#'],
      UpdateItem: ['FUNNEL#', 'KEYED_REQUEST#', 'SENT_FLOW#'],
    },
    indexes: lists,
    bucket: { DeleteObject: ['media/'], GetObject: ['flows/'], ListBucket: ['flows/', 'media/'] },
    upstream: 'call',
  },
  timeoutSeconds: maxTimeoutSeconds,
}));

/** Reads what is on the platform. */
export const graphRead = /* @__PURE__ */ define(() => ({
  name: 'graph-read',
  summary: "Read on Graph's paths",
  routes: routesOf('read'),
  uses: { ...asking, table: { ...asking.table, Query: ['SUBSCRIBER#', 'WABA#'] } },
}));

/** Changes what is on the platform, for owners. */
export const graphChange = /* @__PURE__ */ define(() => ({
  name: 'graph-change',
  summary: "Change templates and profiles on Graph's paths",
  routes: routesOf('change'),
  uses: { ...asking, table: { ...asking.table, Query: ['WABA#', 'WORKSPACE#'] } },
}));

/** Registers webhooks, and changes a template by its id, for owners. */
export const graphRegister = /* @__PURE__ */ define(() => ({
  name: 'graph-register',
  summary: "Register webhooks, and change templates, on Graph's paths",
  routes: routesOf('register'),
  uses: {
    ...asking,
    table: {
      ...asking.table,
      Query: ['SECRETS#', 'SUBSCRIBER#', 'WABA#', 'WORKSPACE#'],
      UpdateItem: ['SECRETS#', 'SUBSCRIBER#'],
    },
    queue: true,
    egress: true,
  },
}));
