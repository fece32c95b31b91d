import { flowJson, flows } from '#functions/flows/compose.ts';
import { type FlowReader, readWithJson } from '#shared/flows/read-with-json.ts';
import { maxResponseBytes, sizeInResponse } from '#shared/http/response-body.ts';
import { publicUrl } from '#shared/operations/compose.ts';
import { createHandler, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { isLocked, isUnlocked, sessionCookieName } from '#shared/previews/preview-access.ts';
import type { PreviewAssets } from '#shared/previews/preview-assets.ts';
import {
  flowPage,
  lockedPage,
  notFoundPage,
  pageData,
  pageOf,
  secretPage,
  tooLargePage,
} from '#shared/previews/preview-pages.ts';
import { findPreview, type PreviewContext } from '#shared/previews/previews.ts';
import { assets, previews } from './compose.ts';
import { openPreview as contract } from './contracts.ts';

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

export const start = servePublic(contract, makeHandler, { baseUrl: publicUrl, flows, previews, flowJson, assets });
