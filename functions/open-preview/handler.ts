import { flowJsonStore } from '#shared/adapters/dynamodb/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import { previewStore } from '#shared/adapters/dynamodb/previews.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { maxResponseBytes, sizeInResponse } from '#shared/base/response-size.ts';
import { type FlowReader, readWithJson } from '#shared/domain/flows/read-with-json.ts';
import { findPreview, isUnlocked, type PreviewContext } from '#shared/domain/previews/open-preview.ts';
import { isLocked } from '#shared/domain/previews/preview.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { type PreviewAssets, previewAssets } from '#shared/http/previews/assets.ts';
import { pageData } from '#shared/http/previews/page-data.ts';
import {
  flowPage,
  lockedPage,
  notFoundPage,
  pageAnswer,
  secretPage,
  tooLargePage,
} from '#shared/http/previews/pages.ts';
import { sessionCookieName } from '#shared/http/previews/session-cookie.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies, PreviewContext, FlowReader {
  baseUrl: string;
  assets: Pick<PreviewAssets, 'names'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ params, cookie, language }) => {
    const context = { language, assets: dependencies.assets.names() };
    const found = await findPreview(dependencies, params.preview);
    if (!found) return pageAnswer(404, notFoundPage(context));

    const { preview } = found;
    if (!isUnlocked(preview, cookie(sessionCookieName(preview.id, dependencies.baseUrl)))) {
      if (isLocked(preview)) return pageAnswer(429, lockedPage(context));
      return pageAnswer(200, secretPage(context));
    }
    const shown = await readWithJson(found.flow, dependencies);
    if (!shown) return pageAnswer(404, notFoundPage(context));
    const body = flowPage(context, pageData(preview, shown, language));
    const fits = sizeInResponse(body) <= maxResponseBytes;
    return pageAnswer(200, fits ? body : tooLargePage(context));
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: noAccess,
    now: Date.now,
    baseUrl: requiredEnv('BASE_URL'),
    flows: flowStore(table),
    previews: previewStore(table),
    assets: previewAssets(new URL('./assets/', import.meta.url)),
    flowJson: flowJsonStore(table, blobStore(requiredEnv('BUCKET_NAME'))),
  };
}
