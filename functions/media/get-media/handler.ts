import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { BucketLink } from '#shared/domain/media/bucket-link.ts';
import type { MediaContext } from '#shared/domain/media/context.ts';
import { findMedia } from '#shared/domain/media/find-media.ts';
import { entityTag, isNamed } from '#shared/http/media/entity-tag.ts';
import { explainMediaError } from '#shared/http/media/explain-media-error.ts';
import { mediaResponse } from '#shared/http/media/media-response.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { link } from '#shared/runtime/providers/files.ts';
import { contextFor } from '#shared/runtime/providers/media-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, contextFor, link });
