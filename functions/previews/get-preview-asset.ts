import { ServiceError } from '#shared/base/service-error.ts';
import { acceptsGzip } from '#shared/http/request.ts';
import { createHandler, ok, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import type { PreviewAssets } from '#shared/previews/preview-assets.ts';
import { assets } from './compose.ts';
import { getPreviewAsset as contract } from './contracts.ts';

interface Dependencies extends PublicDependencies {
  assets: Pick<PreviewAssets, 'read'>;
}

export const makeHandler = ({ assets, ...dependencies }: Dependencies) =>
  createHandler(contract, dependencies, async ({ params, header }) => {
    const asset = assets.read(params.file ?? '');
    if (!asset) throw new ServiceError('preview.no-such-file');
    const gzip = acceptsGzip(header('accept-encoding'));
    return {
      ...ok(gzip ? asset.gzipped : asset.content),
      headers: {
        'content-type': asset.mediaType,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        // API Gateway's HTTP API does not compress responses itself.
        ...(gzip && { 'content-encoding': 'gzip' }),
      },
    };
  });

export const start = servePublic(contract, makeHandler, { assets });
