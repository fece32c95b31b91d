import type { Workspace } from '#shared/accounts/workspace.ts';
import { callBudgetMs } from '#shared/base/time-limits.ts';
import type { MediaContext } from '#shared/media/copy-media.ts';
import { mediaBucket, mediaRemover, uploadBucket, uploadSigner } from '#shared/media/media-bucket-store.ts';
import { mediaCopyStore } from '#shared/media/media-copy-store.ts';
import { mediaDownload, upstreamMedia, upstreamUploads } from '#shared/media/media-graph.ts';
import { mediaBudgetMs } from '#shared/media/media-limits.ts';
import type { CompletionContext } from '#shared/media/media-upload.ts';
import { mediaUploadStore } from '#shared/media/media-upload-store.ts';
import { bucket, clientOf, table, upstream } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';

export const mediaFiles = (environment: Environment<'bucket'>) => mediaRemover(bucket(environment));

export const signUpload = (environment: Environment<'bucket'>) => uploadSigner(bucket(environment));

export const mediaCopies = (environment: Environment<'table'>) => mediaCopyStore(table(environment));

export const mediaUploads = (environment: Environment<'table'>) => mediaUploadStore(table(environment));

export const mediaClient = /* @__PURE__ */ clientOf(upstreamMedia, callBudgetMs);

export const uploadClient = /* @__PURE__ */ clientOf(upstreamUploads, mediaBudgetMs, 'media');

const pollMs = 500;

export const contextFor = (environment: Environment<'table' | 'bucket' | 'upstream'>) => {
  const { client, accessTokenOf, baseUrl, hosts, headers } = upstream(environment);
  const copies = mediaCopies(environment);
  const files = mediaBucket(bucket(environment));
  return (workspace: Workspace, requestId: string): MediaContext => {
    const now = Date.now;
    const deadline = now() + mediaBudgetMs;
    return {
      upstream: upstreamMedia(client(workspace, deadline)),
      download: mediaDownload({ baseUrl, hosts, headers, accessToken: accessTokenOf(workspace), deadline, now }),
      copies,
      bucket: files,
      holder: requestId,
      deadline,
      pollMs,
      now,
    };
  };
};

export const completionFor = (environment: Environment<'table' | 'bucket' | 'upstream'>) => {
  const { client } = upstream(environment);
  const uploads = mediaUploads(environment);
  const files = uploadBucket(bucket(environment));
  return (workspace: Workspace, requestId: string): CompletionContext => {
    const deadline = Date.now() + mediaBudgetMs;
    return {
      uploads,
      bucket: files,
      upstream: upstreamUploads(client(workspace, deadline, 'media')),
      holder: requestId,
      deadline,
      pollMs,
      now: Date.now,
    };
  };
};
