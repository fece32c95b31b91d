import type { Workspace } from '#shared/accounts/workspace.ts';
import type { MediaContext } from '#shared/media/copy-media.ts';
import { findMedia } from '#shared/media/find-media.ts';
import type { BucketLink } from '#shared/media/media-bucket-store.ts';
import { explainMediaError } from '#shared/media/media-error.ts';
import { entityTag, isNamed, mediaResponse } from '#shared/media/media-response.ts';
import { link } from '#shared/operations/compose.ts';
import { createHandler, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor } from './compose.ts';
import { getMedia as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  contextFor: (workspace: Workspace, requestId: string) => MediaContext;
  link: BucketLink;
}

export const makeHandler = ({ contextFor, link, ...dependencies }: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, params, header, requestId }) => {
      const media = params.id ?? '';
      const isCached = (sha256: string) => isNamed(header('if-none-match'), entityTag(sha256));
      const wanted = { number: number.id, media, phoneNumberId: number.phone_number_id };
      const found = await findMedia(wanted, isCached, contextFor(workspace, requestId));
      return mediaResponse(found, { media, range: header('range'), ifRange: header('if-range') }, link);
    },
    { explain: explainMediaError },
  );

export const start = serve(contract, makeHandler, { contextFor, link });
