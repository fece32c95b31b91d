import { flows, numbers } from '#functions/flows/compose.ts';
import { timestamp } from '#shared/base/time.ts';
import { pathOf, previewPath } from '#shared/http/path.ts';
import { keyedRequests, publicUrl } from '#shared/operations/compose.ts';
import { created, createHandler, type KeyedDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CreateContext, createPreview } from '#shared/previews/previews.ts';
import { previews } from './compose.ts';
import { createPreview as contract } from './contracts.ts';

interface Dependencies extends KeyedDependencies, CreateContext {
  baseUrl: string;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, body }) => {
    const { preview, secret } = await createPreview(workspace, flow, body, dependencies);
    const createdAt = timestamp(preview.created_at);
    return created({
      id: preview.id,
      url: `${dependencies.baseUrl}${pathOf(previewPath, { preview: preview.id })}`,
      secret,
      valid_until: timestamp(preview.valid_until),
      created_at: createdAt,
      updated_at: createdAt,
    });
  });

export const start = serve(contract, makeHandler, { baseUrl: publicUrl, flows, numbers, previews, keyedRequests });
