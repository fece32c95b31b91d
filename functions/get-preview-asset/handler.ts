import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { noAccess } from '../../shared/http/no-access.ts';
import { requestTexts } from '../../shared/http/texts.ts';
import { type PreviewAssets, previewAssets } from '../../shared/previews/assets.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { contract } from './contract.ts';

interface Dependencies extends Pick<WrapperDependencies, 'now'> {
  assets: Pick<PreviewAssets, 'read'>;
}

export const makeHandler = ({ assets, now }: Dependencies) =>
  createHandler(contract, { access: noAccess, now }, async ({ params }) => {
    const asset = assets.read(params.file ?? '');
    if (!asset) throw new ServiceError('not-found', requestTexts.fileNotFound);
    return {
      ...ok(asset.content),
      headers: { 'content-type': asset.mediaType, 'cache-control': 'public, max-age=31536000, immutable' },
    };
  });

export const handler = makeHandler({
  now: Date.now,
  assets: previewAssets(new URL('./assets/', import.meta.url)),
});
