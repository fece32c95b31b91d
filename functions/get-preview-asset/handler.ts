import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { ok } from '#shared/http/answers.ts';
import { acceptsGzip } from '#shared/http/content-encoding.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { type PreviewAssets, previewAssets } from '#shared/http/previews/assets.ts';
import { contract } from './contract.ts';

interface Dependencies extends Pick<WrapperDependencies, 'now'> {
  assets: Pick<PreviewAssets, 'read'>;
}

export const makeHandler = ({ assets, now }: Dependencies) =>
  createHandler(contract, { access: noAccess, now }, async ({ params, header }) => {
    const asset = assets.read(params.file ?? '');
    if (!asset) throw new ServiceError('preview.no-such-file');
    const gzip = acceptsGzip(header('accept-encoding'));
    return {
      ...ok(gzip ? asset.gzipped : asset.content),
      headers: {
        'content-type': asset.mediaType,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        // API Gateway's HTTP API compresses nothing by itself.
        ...(gzip && { 'content-encoding': 'gzip' }),
      },
    };
  });

export const handler = makeHandler({
  now: Date.now,
  assets: previewAssets(new URL('./assets/', import.meta.url)),
});
