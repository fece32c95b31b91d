import type { Workspace } from '#shared/accounts/workspace.ts';
import type { MediaContext } from '#shared/media/copy-media.ts';
import { mediaBucket, uploadBucket } from '#shared/media/media-bucket-store.ts';
import { mediaCopyStore } from '#shared/media/media-copy-store.ts';
import { mediaDownload } from '#shared/media/media-download-graph.ts';
import { upstreamMedia, upstreamUploads } from '#shared/media/media-graph.ts';
import { mediaBudgetMs } from '#shared/media/media-limits.ts';
import type { CompletionContext } from '#shared/media/media-upload.ts';
import { mediaUploadStore } from '#shared/media/media-upload-store.ts';
import { bucket } from '#shared/operations/resources/bucket.ts';
import { table } from '#shared/operations/resources/table.ts';
import { upstream } from '#shared/operations/resources/upstream.ts';
import { provider } from '#shared/operations/serve.ts';

const pollMs = 500;

/** What a request for media needs. */
export const contextFor = /* @__PURE__ */ provider({ table, bucket, upstream }, ({ table, bucket, upstream }, now) => {
  const copies = mediaCopyStore(table);
  const files = mediaBucket(bucket);
  return (workspace: Workspace, requestId: string): MediaContext => {
    const deadline = now() + mediaBudgetMs;
    const { baseUrl, mediaHosts: hosts, headers } = upstream;
    const accessToken = upstream.accessTokenOf(workspace);
    return {
      upstream: upstreamMedia(upstream.client(workspace, deadline)),
      download: mediaDownload({ baseUrl, hosts, headers, accessToken, deadline, now }),
      copies,
      bucket: files,
      holder: requestId,
      deadline,
      pollMs,
      now,
    };
  };
});

/** What the completion of an upload needs. */
export const completionFor = /* @__PURE__ */ provider(
  { table, bucket, upstream },
  ({ table, bucket, upstream }, now) => {
    const uploads = mediaUploadStore(table);
    const files = uploadBucket(bucket);
    return (workspace: Workspace, requestId: string): CompletionContext => {
      const deadline = now() + mediaBudgetMs;
      return {
        uploads,
        bucket: files,
        upstream: upstreamUploads(upstream.client(workspace, deadline, 'media')),
        holder: requestId,
        deadline,
        pollMs,
        now,
      };
    };
  },
);
