import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { deleteMedia } from '#shared/domain/media/delete-media.ts';
import type { MediaBucket } from '#shared/domain/media/media-bucket.ts';
import type { MediaCopyStore } from '#shared/domain/media/media-copy-store.ts';
import type { UpstreamMedia } from '#shared/domain/media/upstream-media.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { noContent } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { mediaClient } from '#shared/runtime/providers/clients.ts';
import { mediaFiles } from '#shared/runtime/providers/files.ts';
import { mediaCopies } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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
