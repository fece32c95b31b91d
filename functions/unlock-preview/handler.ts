import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import { previewStore } from '#shared/adapters/dynamodb/previews.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { findPreview, type PreviewContext, unlock } from '#shared/domain/previews/open-preview.ts';
import type { PreviewRecord } from '#shared/domain/previews/preview.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { type PreviewAssets, previewAssets } from '#shared/http/previews/assets.ts';
import { lockedPage, notFoundPage, pageAnswer, pageHeaders, secretPage } from '#shared/http/previews/pages.ts';
import { sessionCookie } from '#shared/http/previews/session-cookie.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
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
