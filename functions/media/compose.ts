import type { Workspace } from '#shared/accounts/workspace.ts';
import { callBudgetMs } from '#shared/base/time-limits.ts';
import type { FileRequest, MediaContext } from '#shared/media/copy-media.ts';
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

const requestOf = (requestId: string): FileRequest => ({
  holder: requestId,
  deadline: Date.now() + mediaBudgetMs,
  pollMs: 500,
  now: Date.now,
});

export const contextFor = (environment: Environment<'table' | 'bucket' | 'upstream'>) => {
  const { client, accessTokenOf, baseUrl, hosts, headers } = upstream(environment);
  const copies = mediaCopies(environment);
  const files = mediaBucket(bucket(environment));
  return (workspace: Workspace, requestId: string): MediaContext => {
    const request = requestOf(requestId);
    const accessToken = accessTokenOf(workspace);
    return {
      ...request,
      upstream: upstreamMedia(client(workspace, request.deadline)),
      download: mediaDownload({ ...request, baseUrl, hosts, headers, accessToken }),
      copies,
      bucket: files,
    };
  };
};

export const completionFor = (environment: Environment<'table' | 'bucket' | 'upstream'>) => {
  const { client } = upstream(environment);
  const uploads = mediaUploads(environment);
  const files = uploadBucket(bucket(environment));
  return (workspace: Workspace, requestId: string): CompletionContext => {
    const request = requestOf(requestId);
    return {
      ...request,
      upstream: upstreamUploads(client(workspace, request.deadline, 'media')),
      uploads,
      bucket: files,
    };
  };
};
