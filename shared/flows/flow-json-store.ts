import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { BlobStore } from '#shared/aws/bucket.ts';
import { keys } from '#shared/aws/keys.ts';
import { batchGet, getRecord, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import type { StoredJson } from './flow.ts';

/**
 * A text up to this size stays in the Flow's item. The item shares a partition with the items that decide who may do
 * what in the workspace, and lists read it for every Flow, so it stays small.
 */
const maxInlineBytes = 1_000;

/** A text up to this size is a separate item: a page of Flows, a hundred such items, fits in one `BatchGetItem`. */
const maxItemBytes = 150_000;

export type FlowJsonStore = ReturnType<typeof flowJsonStore>;

/**
 * Stores the JSON texts of Flows: in the Flow's item while a text is tiny, else in a separate item, or in the bucket if
 * it is too large for an item. A stored text never changes.
 */
export function flowJsonStore(table: Table, blobs: BlobStore) {
  const { client, name: TableName } = table;

  const readItem = async (item: string) => (await getRecord<{ text: string }>(table, keys.flowJson(item)))?.text;

  /** Reads the texts of up to a hundred items, by id. */
  async function readItems(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const items = await batchGet(
      table,
      ids.map((id) => keys.flowJson(id)),
    );
    return new Map(items.map(({ id, text }) => [String(id), String(text)]));
  }

  async function read(json: StoredJson): Promise<string | undefined> {
    if ('text' in json) return json.text;
    return 'item' in json ? readItem(json.item) : blobs.get(json.blob);
  }

  return {
    /** Always stores a new text, even if the content is the same, so that discarding one affects no other Flow. */
    async keep(flow: string, text: string): Promise<StoredJson> {
      const bytes = Buffer.byteLength(text);
      if (bytes <= maxInlineBytes) return { text };
      const id = newId();
      if (bytes <= maxItemBytes) {
        await client.send(new PutCommand({ TableName, Item: { ...keys.flowJson(id), id, flow, text } }));
        return { item: id, bytes };
      }
      const blob = `flows/${flow}/${createHash('sha256').update(text).digest('hex')}/${id}.json`;
      await blobs.put(blob, text);
      return { blob, bytes };
    },

    /** Resolves with `undefined` when a newer text has replaced this one since the Flow was read. */
    read,

    /** Reads the texts of up to a hundred Flows, in their order; see `read`. */
    async readAll(jsons: readonly StoredJson[]): Promise<(string | undefined)[]> {
      const items = await readItems(jsons.flatMap((json) => ('item' in json ? [json.item] : [])));
      return Promise.all(jsons.map((json) => ('item' in json ? items.get(json.item) : read(json))));
    },

    async discard(json: StoredJson): Promise<void> {
      if ('text' in json) return;
      if ('item' in json) await client.send(new DeleteCommand({ TableName, Key: keys.flowJson(json.item) }));
      else await blobs.delete(json.blob);
    },
  };
}
