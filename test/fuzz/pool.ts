import type { IncomingHttpHeaders } from 'node:http';
import type { WorldDescription } from '#local/world-description.ts';
import { flowJsons, sdps } from './hostile.ts';
import type { Prepared } from './prepare.ts';

/** Values of the world by the name of the parameter or member that takes them. */
export interface Pool {
  learned(name: string): readonly unknown[];
  /** Learns ids, cursors and cookies from a response. */
  learn(response: Learnable): void;
  cookies(): readonly string[];
}

interface Learnable {
  operationId: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the `id` of a success names, by operation. */
const idNames: Readonly<Record<string, string>> = {
  createFlow: 'flow',
  listFlows: 'flow',
  createPreview: 'preview',
  listDeliveries: 'delivery',
};

/** Names whose values are interchangeable. */
const aliases: Readonly<Record<string, string>> = {
  user_wa_id: 'to',
  webhook: 'url',
  secondary_webhook: 'url',
  calls_webhook: 'url',
  endpoint_url: 'url',
};

/**
 * How many of the latest values of a name are kept. For previews there are few, so that preview and secret often
 * match.
 */
const keptValues = (name: string) => (name === 'preview' || name === 'secret' ? 2 : 40);

export function createPool(world: WorldDescription, receiverUrl: string, prepared: Prepared): Pool {
  const { workspaces, numbers, verify_token } = world;
  const values = new Map<string, readonly unknown[]>(
    Object.entries({
      // The connected workspace and the active numbers more often than the others.
      workspace: [...Array(6).fill(workspaces[0]), ...workspaces].map((workspace) => workspace.id),
      number: [...Array(6).fill(numbers[0]), ...numbers].map((number) => number.id),
      url: ['', 'error', 'redirect', 'garbage', 'close', 'flow'].map((path) => `${receiverUrl}/${path}`),
      to: ['15550100999', '15550100998'],
      sdp: sdps.slice(0, 3),
      json: flowJsons.slice(0, 2),
      call_id: prepared.callIds,
      id: prepared.mediaIds,
      'hub.mode': ['subscribe'],
      'hub.verify_token': [verify_token],
      'hub.challenge': ['1158201444'],
    }),
  );
  const cookies: string[] = [];

  const add = (name: string, value: unknown) => {
    values.set(name, [...(values.get(name) ?? []), value].slice(-keptValues(name)));
  };

  const learnItem = (operationId: string, item: LearnedItem) => {
    const name = idNames[operationId];
    if (name !== undefined && typeof item.id === 'string') add(name, item.id);
    if (name === 'flow' && typeof item.wa_id === 'string') add('wa_id', item.wa_id);
  };

  return {
    learned: (name) => values.get(aliases[name] ?? name) ?? [],
    cookies: () => cookies,
    learn({ operationId, status, headers, body }) {
      if (status >= 400) return;
      for (const cookie of headers['set-cookie'] ?? []) cookies.push(cookie.split(';')[0] ?? '');
      for (const [, file] of body.matchAll(/"assets\/([\w.-]+)"/g)) add('file', file);
      const parsed = parse(body);
      for (const item of [parsed, ...(parsed.data ?? [])]) learnItem(operationId, item);
      if (parsed.secret !== undefined) add('secret', parsed.secret);
      for (const cursor of cursorsOf(parsed)) add('cursor', cursor);
    },
  };
}

interface LearnedItem {
  id?: unknown;
  wa_id?: unknown;
  secret?: unknown;
  data?: LearnedItem[];
  meta?: { next_cursor?: string; prev_cursor?: string };
  next_cursor?: string;
}

const cursorsOf = ({ meta, next_cursor }: LearnedItem) =>
  [meta?.next_cursor, meta?.prev_cursor, next_cursor].filter((cursor) => typeof cursor === 'string');

function parse(body: string): LearnedItem {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
