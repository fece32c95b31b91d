import type { Workspace } from '#shared/accounts/workspace.ts';
import { access } from '#shared/compose/accounts.ts';
import { mediaClient } from '#shared/compose/clients.ts';
import { mediaFiles } from '#shared/compose/files.ts';
import { mediaCopies } from '#shared/compose/stores.ts';
import { deleteMedia } from '#shared/media/find-media.ts';
import type { MediaBucket } from '#shared/media/media-bucket-store.ts';
import type { MediaCopyStore } from '#shared/media/media-copy-store.ts';
import type { UpstreamMedia } from '#shared/media/media-graph.ts';
import { createHandler, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { noContent } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
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

export const handler = serve(contract, makeHandler, {
  access,
  upstream: mediaClient,
  copies: mediaCopies,
  bucket: mediaFiles,
});
