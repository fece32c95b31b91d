import { mediaCopyStore } from '#shared/adapters/dynamodb/media.ts';
import { mediaUploadStore } from '#shared/adapters/dynamodb/media-uploads.ts';
import { upstreamMedia } from '#shared/adapters/graph/media.ts';
import { mediaDownload } from '#shared/adapters/graph/media-download.ts';
import { upstreamUploads } from '#shared/adapters/graph/media-uploads.ts';
import { mediaBucket } from '#shared/adapters/s3/media-bucket.ts';
import { uploadBucket } from '#shared/adapters/s3/upload-bucket.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { CompletionContext } from '#shared/domain/media/complete-upload.ts';
import type { MediaContext } from '#shared/domain/media/context.ts';
import { mediaBudgetMs } from '#shared/domain/media/limits.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

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
