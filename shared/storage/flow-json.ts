import { createHash } from 'node:crypto';
import type { StoredJson } from '../flows/flow.ts';
import { newId } from '../ids.ts';
import type { BlobStore } from './blobs.ts';

/** Up to here the text stays in the Flow's item, which may hold two of them (kept and intended) within its 400 KB. */
const maxInlineBytes = 150_000;

export type FlowJsonStore = ReturnType<typeof flowJsonStore>;

/** The JSON text of Flows, in the item while it is small and in the bucket, under its hash, when it is not. */
export function flowJsonStore(blobs: BlobStore) {
  return {
    async keep(flow: string, text: string): Promise<StoredJson> {
      const bytes = Buffer.byteLength(text);
      if (bytes <= maxInlineBytes) return { text };
      // Of its own even where the content is the same, so that whoever discards one takes it from nobody else.
      const blob = `flows/${flow}/${createHash('sha256').update(text).digest('hex')}/${newId()}.json`;
      await blobs.put(blob, text);
      return { blob, bytes };
    },

    /** `undefined` when a newer text has replaced this one since the Flow was read. */
    read: async (json: StoredJson): Promise<string | undefined> => ('text' in json ? json.text : blobs.get(json.blob)),

    async discard(json: StoredJson): Promise<void> {
      if ('blob' in json) await blobs.delete(json.blob);
    },
  };
}

/** Size of the text in bytes of UTF-8, without reading it. */
export function jsonBytes(json: StoredJson): number {
  return 'text' in json ? Buffer.byteLength(json.text) : json.bytes;
}
