import type { Workspace } from '#shared/accounts/workspace.ts';
import { deleteMedia } from '#shared/media/find-media.ts';
import type { MediaBucket } from '#shared/media/media-bucket-store.ts';
import type { MediaCopyStore } from '#shared/media/media-copy-store.ts';
import type { UpstreamMedia } from '#shared/media/media-graph.ts';
import { createHandler, noContent, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { mediaClient, mediaCopies, mediaFiles } from './compose.ts';
import { deleteMedia as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamMedia;
  copies: Pick<MediaCopyStore, 'markDeleted'>;
  bucket: Pick<MediaBucket, 'list' | 'delete'>;
}

export const makeHandler = ({ upstream, copies, bucket, ...dependencies }: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, workspace, params }) => {
    const wanted = { number: number.id, media: params.id ?? '', phoneNumberId: number.phone_number_id };
    await deleteMedia(wanted, { upstream: upstream(workspace), copies, bucket, now: dependencies.now });
    return noContent();
  });

export const start = serve(contract, makeHandler, { upstream: mediaClient, copies: mediaCopies, bucket: mediaFiles });
