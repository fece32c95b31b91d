import { flows } from '#functions/flows/compose.ts';
import { pathOf } from '#shared/http/path.ts';
import { publicUrl } from '#shared/operations/compose.ts';
import { createHandler, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import type { PreviewRecord } from '#shared/previews/preview-access.ts';
import { sessionCookie } from '#shared/previews/preview-access.ts';
import type { PreviewAssets } from '#shared/previews/preview-assets.ts';
import { lockedPage, notFoundPage, pageHeaders, pageOf, secretPage } from '#shared/previews/preview-pages.ts';
import { findPreview, type PreviewContext, unlock } from '#shared/previews/previews.ts';
import { assets, previews } from './compose.ts';
import { unlockPreview as contract } from './contracts.ts';

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
        return { status: 303 as const, headers: redirectHeaders(preview, dependencies) };
    }
  });

export const start = servePublic(contract, makeHandler, { baseUrl: publicUrl, flows, previews, assets });

function redirectHeaders(preview: PreviewRecord, { baseUrl, now }: Dependencies): Record<string, string> {
  return {
    ...pageHeaders,
    location: new URL(`${baseUrl}${pathOf(contract.path, { preview: preview.id })}`).pathname,
    'set-cookie': sessionCookie(preview, { baseUrl, now: now() }),
  };
}
