import { findPreview, type PreviewContext, unlock } from '#shared/domain/previews/open-preview.ts';
import type { PreviewRecord } from '#shared/domain/previews/preview.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import type { PreviewAssets } from '#shared/http/previews/assets.ts';
import { lockedPage, notFoundPage, pageHeaders, pageOf, secretPage } from '#shared/http/previews/pages.ts';
import { sessionCookie } from '#shared/http/previews/session-cookie.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { assetsBeside, publicUrl } from '#shared/runtime/providers/environment.ts';
import { flows, previews } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends PublicDependencies, PreviewContext {
  baseUrl: string;
  assets: Pick<PreviewAssets, 'names'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ params, rawBody, language, clientAddress }) => {
    const context = { language, assets: dependencies.assets.names() };
    const found = await findPreview(dependencies, params.preview);
    if (!found) return pageOf(404, notFoundPage(context));

    const { preview } = found;
    const guess = new URLSearchParams(rawBody().toString('utf8')).get('secret')?.replace(/\s/g, '') ?? '';
    switch (await unlock(dependencies, preview, guess, clientAddress)) {
      case 'locked':
        return pageOf(429, lockedPage(context));
      case 'wrong':
        return pageOf(403, secretPage(context, { wasWrong: true }));
      case 'right':
        return { status: 303 as const, headers: opened(preview, dependencies) };
    }
  });

export const handler = serve(contract, makeHandler, {
  baseUrl: publicUrl,
  flows,
  previews,
  assets: assetsBeside(import.meta.url),
});

function opened(preview: PreviewRecord, { baseUrl, now }: Dependencies): Record<string, string> {
  return {
    ...pageHeaders,
    location: new URL(`${baseUrl}${pathOf(contract.path, { preview: preview.id })}`).pathname,
    'set-cookie': sessionCookie(preview, { baseUrl, now: now() }),
  };
}
