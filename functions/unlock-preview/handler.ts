import { requiredEnv } from '../../shared/env.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { noAccess } from '../../shared/http/no-access.ts';
import { type PreviewAssets, previewAssets } from '../../shared/previews/assets.ts';
import { findPreview, type PreviewContext, unlock } from '../../shared/previews/open-preview.ts';
import { lockedPage, notFoundPage, pageAnswer, pageHeaders, secretPage } from '../../shared/previews/pages.ts';
import type { PreviewRecord } from '../../shared/previews/preview.ts';
import { sessionCookie } from '../../shared/previews/session-cookie.ts';
import { flowStore } from '../../shared/storage/flows.ts';
import { previewStore } from '../../shared/storage/previews.ts';
import { openTable } from '../../shared/storage/table.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies, PreviewContext {
  baseUrl: string;
  assets: Pick<PreviewAssets, 'names'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ params, rawBody, language }) => {
    const context = { language, assets: dependencies.assets.names() };
    const found = await findPreview(dependencies, params.preview);
    if (!found) return pageAnswer(404, notFoundPage(context));

    const { preview } = found;
    const guess = new URLSearchParams(rawBody().toString('utf8')).get('secret')?.replace(/\s/g, '') ?? '';
    switch (await unlock(dependencies, preview, guess)) {
      case 'locked':
        return pageAnswer(429, lockedPage(context));
      case 'wrong':
        return pageAnswer(403, secretPage(context, { wasWrong: true }));
      case 'right':
        return { status: 303 as const, headers: opened(preview, dependencies) };
    }
  });

export const handler = makeHandler(runtime());

function opened(preview: PreviewRecord, { baseUrl, now }: Dependencies): Record<string, string> {
  return {
    ...pageHeaders,
    location: new URL(`${baseUrl}/v2/flows/preview/${preview.id}`).pathname,
    'set-cookie': sessionCookie(preview, { baseUrl, now: now() }),
  };
}

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: noAccess,
    now: Date.now,
    baseUrl: requiredEnv('BASE_URL'),
    flows: flowStore(table),
    previews: previewStore(table),
    assets: previewAssets(new URL('./assets/', import.meta.url)),
  };
}
