import type { Uses } from '#shared/http/contract/contract.ts';

/**
 * What every operation that reads or changes Flows uses. Each may find an abandoned change and reconciles it first: so
 * even an operation that only reads follows the upstream, or discards what the change would have stored.
 */
export const flowUses = {
  table: {
    GetItem: ['FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    // The webhook of the workspace, to which events of Flows go.
    Query: ['SUBSCRIBER#'],
    PutItem: ['FLOWS#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    UpdateItem: ['FLOWS#', 'WORKSPACE#'],
    DeleteItem: ['FLOWS#', 'FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
  },
  bucket: { GetObject: ['flows/'], DeleteObject: ['flows/'], ListBucket: ['flows/'] },
  upstream: 'call',
  queue: true,
} as const satisfies Uses;
