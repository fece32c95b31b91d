import { newId } from '#shared/base/ids.ts';
import { graphClient } from '#shared/graph/graph-client.ts';
import { mediaCopyStore } from '#shared/media/media-copy-store.ts';
import { upstreamUploads } from '#shared/media/media-graph.ts';
import type { CompletionContext } from '#shared/media/media-upload.ts';
import { mediaUploadStore } from '#shared/media/media-upload-store.ts';
import { startApiWorld } from './api-world.ts';
import { accessToken, phoneNumberId, startTestUpstream } from './simulated-graph.ts';

/** A file that the simulated platform has. */
interface PlatformFile {
  id: string;
  mime_type: string;
  sha256: string;
  size: number;
  phone_number_id: string;
}

/** Uploads between the real stores on a DynamoDB engine and the simulated platform, over real HTTP. */
export async function startUploadWorld() {
  const webhookWorld = await startApiWorld();
  const platform = await startTestUpstream();
  const number = await webhookWorld.newNumber({ phone_number_id: phoneNumberId });

  const uploads = mediaUploadStore(webhookWorld.table);
  const uploaded = new Map<string, Buffer>();

  const graph = ({ baseUrl = platform.url, budgetMs = 300_000 } = {}) => {
    const settings = { baseUrl, version: 'v25.0', timeoutMs: 60_000, subject: 'media' } as const;
    return graphClient(settings, async () => accessToken, Date.now() + budgetMs, Date.now);
  };

  const copied = new Set<string>();

  return {
    ...webhookWorld,
    /** The number that the platform knows, of the caller's workspace. */
    number,
    platform,
    graph,
    uploads,
    copies: mediaCopyStore(webhookWorld.table),
    /** The keys of copies of media in the bucket. */
    copied,
    copiedFiles: {
      async *list(prefix: string) {
        for (const key of copied) if (key.startsWith(prefix)) yield key;
      },
      delete: async (key: string) => void copied.delete(key),
    },
    /** The files in the bucket, by key. */
    uploaded,
    dependencies: { ...webhookWorld.dependencies, uploads, upstream: () => upstreamUploads(graph()) },

    /** What the completion of an upload needs, with much time. */
    completion: (): CompletionContext => ({
      uploads,
      bucket: {
        sizeOf: async (key) => uploaded.get(key)?.length,
        async *read(key) {
          yield uploaded.get(key) ?? Buffer.alloc(0);
        },
      },
      upstream: upstreamUploads(graph()),
      holder: newId(),
      deadline: webhookWorld.clock.now + 300_000,
      pollMs: 50,
      now: () => webhookWorld.clock.now,
    }),

    /** The files that the platform has. */
    async files(): Promise<PlatformFile[]> {
      return (await platform.control('GET', '/media')).json.data;
    },

    /** The platform fails the next upload: it does nothing, or all, and responds with nothing or an error. */
    async failUpload(fault: { kind: string } & Record<string, unknown>): Promise<void> {
      await platform.control('POST', '/faults', { match: { path: 'upload_media' }, fault });
    },

    async close(): Promise<void> {
      await platform.close();
      await webhookWorld.close();
    },
  };
}
