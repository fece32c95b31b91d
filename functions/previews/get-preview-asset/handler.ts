import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { acceptsGzip } from '#shared/http/language/content-encoding.ts';
import type { PreviewAssets } from '#shared/http/previews/assets.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { assetsBeside } from '#shared/runtime/providers/environment.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { assets: assetsBeside(import.meta.url) });
