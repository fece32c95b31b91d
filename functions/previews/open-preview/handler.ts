import { maxResponseBytes, sizeInResponse } from '#shared/base/response-size.ts';
import { type FlowReader, readWithJson } from '#shared/domain/flows/read-with-json.ts';
import { findPreview, isUnlocked, type PreviewContext } from '#shared/domain/previews/open-preview.ts';
import { isLocked } from '#shared/domain/previews/preview.ts';
import type { PreviewAssets } from '#shared/http/previews/assets.ts';
import { pageData } from '#shared/http/previews/page-data.ts';
import { flowPage, lockedPage, notFoundPage, pageOf, secretPage, tooLargePage } from '#shared/http/previews/pages.ts';
import { sessionCookieName } from '#shared/http/previews/session-cookie.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { assetsBeside, publicUrl } from '#shared/runtime/providers/environment.ts';
import { flowJson } from '#shared/runtime/providers/files.ts';
import { flows, previews } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends PublicDependencies, PreviewContext, FlowReader {
  baseUrl: string;
  assets: Pick<PreviewAssets, 'names'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ params, cookie, language, clientAddress }) => {
    const context = { language, assets: dependencies.assets.names() };
    const found = await findPreview(dependencies, params.preview);
    if (!found) return pageOf(404, notFoundPage(context));

    const { preview } = found;
    if (!isUnlocked(preview, cookie(sessionCookieName(preview.id, dependencies.baseUrl)))) {
      if (isLocked(preview, clientAddress)) return pageOf(429, lockedPage(context));
      return pageOf(200, secretPage(context));
    }
    const shown = await readWithJson(found.flow, dependencies);
    if (!shown) return pageOf(404, notFoundPage(context));
    const body = flowPage(context, pageData(preview, shown, language));
    const fits = sizeInResponse(body) <= maxResponseBytes;
    return pageOf(200, fits ? body : tooLargePage(context));
  });

export const handler = serve(contract, makeHandler, {
  baseUrl: publicUrl,
  flows,
  previews,
  flowJson,
  assets: assetsBeside(import.meta.url),
});
