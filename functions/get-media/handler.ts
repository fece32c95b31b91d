import { findMedia } from '#shared/domain/media/find-media.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { entityTag, isNamed } from '#shared/http/media/entity-tag.ts';
import { explainMediaError } from '#shared/http/media/explain-media-error.ts';
import { presentMedia } from '#shared/http/media/present.ts';
import { type MediaDependencies, mediaRuntime } from '#shared/runtime/media.ts';
import { contract } from './contract.ts';

export const makeHandler = ({ contextFor, link, ...dependencies }: MediaDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, params, header, language, requestId }) => {
      const media = params.id ?? '';
      const isHeld = (sha256: string) => isNamed(header('if-none-match'), entityTag(sha256));
      const wanted = { number: number.id, media, phoneNumberId: number.phone_number_id };
      const found = await findMedia(wanted, isHeld, contextFor(requestId));
      return presentMedia(found, { media, range: header('range'), ifRange: header('if-range'), language }, link);
    },
    explainMediaError,
  );

export const handler = makeHandler(mediaRuntime());
